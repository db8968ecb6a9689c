import { useQuery } from '@tanstack/react-query';
import { bytesText, countText } from '#api/numbers.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { deploymentUsageQuery } from '#areas/start/data.ts';
import { Card } from '#ui/card.tsx';
import { LimitBar } from '#ui/limit-bar.tsx';
import { TryAgain } from '#ui/paged-table.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', timeZone: 'UTC' });
const minutesText = (minutes: number) => `${minutes.toLocaleString('en', { maximumFractionDigits: 1 })} min`;

/** What builds and functions of the organization use of what the operator allows it. */
export function DeploymentLimits() {
  const { id } = useOrganization();
  const { data, error, refetch } = useQuery(deploymentUsageQuery(id));
  return (
    <div className="mt-4">
      <Card
        title="Deployment limits"
        description="The operator of this instance sets them. Processes and memory are those of one node."
      >
        {error && <TryAgain error={error} refetch={refetch} />}
        {!data && !error && <Skeleton className="h-40 w-full" />}
        {data && (
          <div className="grid grid-cols-1 gap-x-8 gap-y-4 lg:grid-cols-2">
            <Used
              label={`Build minutes until ${day.format(new Date(data.buildMinutes.resetsAt))}`}
              {...data.buildMinutes}
              text={minutesText}
            />
            <Used label="Function processes" {...data.instances} text={countText} />
            <Used label="Memory of function processes" {...data.memoryBytes} text={bytesText} />
            <Used label="Custom domains" {...data.domains} text={countText} />
          </div>
        )}
      </Card>
    </div>
  );
}

interface UsedProps {
  label: string;
  used: number;
  limit: number | null;
  text: (value: number) => string;
}

function Used({ label, used, limit, text }: UsedProps) {
  if (limit !== null) return <LimitBar label={label} used={used} limit={limit} text={text} />;
  return (
    <div className="flex flex-wrap justify-between gap-x-4">
      <span className="font-medium">{label}</span>
      <span className="tabular-nums">
        {text(used)} <span className="text-muted">· no limit</span>
      </span>
    </div>
  );
}
