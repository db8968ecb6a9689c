import type { InstanceUsage } from '@mainstay/sdk';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { bytesText, countText } from '#api/numbers.ts';
import { instanceUsageQuery, overviewQuery } from '#areas/instance/data.ts';
import { timesOf } from '#areas/start/data.ts';
import { RangeChoice } from '#areas/start/range-choice.tsx';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { Chart } from '#ui/chart.tsx';
import { Facts } from '#ui/facts.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { Pending } from '#ui/pending.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

const route = getRouteApi('/signed-in/instance/');
const milliseconds = (value: number) => `${value.toLocaleString('en', { maximumFractionDigits: 1 })} ms`;

export function Overview() {
  const { data } = useSuspenseQuery(overviewQuery);
  const { range = '24h' } = route.useSearch();
  const navigate = route.useNavigate();
  const usage = useQuery(instanceUsageQuery(range));
  const { database } = data;
  return (
    <>
      <PageHeader
        title="Instance"
        description="Load and health of this instance."
        actions={
          <RangeChoice
            range={range}
            onChange={(next) => void navigate({ search: { range: next }, replace: true })}
          />
        }
        call={{ method: 'GET', path: `/admin/usage?range=${range}` }}
      />
      <div className="mb-4 grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Count label="Users" count={data.users} to="/instance/users" />
        <Count label="On the waitlist" count={data.waitlist} to="/instance/waitlist" />
        <Count label="Organizations" count={data.organizations} to="/instance/organizations" />
        <Count label="API keys" count={data.apiKeys} />
      </div>
      <Pending query={usage} className="h-96" />
      {usage.data && <Charts usage={usage.data} />}
      <div className="mt-4 grid items-start gap-4 lg:grid-cols-3">
        <Card
          title="Database"
          actions={
            <StatusBadge
              status={database.ready ? 'ready' : 'down'}
              {...(database.ready ? {} : { text: 'Unreachable' })}
            />
          }
        >
          <Facts
            facts={[
              ['Engine', database.engine],
              ['Response time', database.milliseconds === null ? null : milliseconds(database.milliseconds)],
            ]}
          />
        </Card>
        <Card
          title="E-mail"
          actions={
            <Badge tone={data.mail ? 'success' : 'warning'}>
              {data.mail ? 'Configured' : 'Not configured'}
            </Badge>
          }
        >
          <p className="text-muted">
            {data.mail
              ? 'Verification, invitation and password-reset e-mails are sent.'
              : 'No e-mail is sent: share invitation and password-reset links yourself. Set MAINSTAY_SMTP_URL to change this.'}
          </p>
        </Card>
        <Card title="This node">
          <Facts
            facts={[
              ['Version', data.version],
              ['Node.js', data.node],
              ['Started', <RelativeTime key="started" time={data.startedAt} />],
              ['Memory', bytesText(data.memoryBytes)],
            ]}
          />
        </Card>
      </div>
    </>
  );
}

/** From the numbers that the server keeps itself, over all nodes. */
function Charts({ usage }: { usage: InstanceUsage }) {
  const times = timesOf(usage);
  const { counters, gauges } = usage;
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Card>
        <Chart
          label="Requests"
          times={times}
          series={[
            { label: 'Requests', values: counters.requests },
            { label: 'Client errors', values: counters.clientErrors },
            { label: 'Server errors', values: counters.serverErrors },
          ]}
          format={countText}
        />
      </Card>
      <Card>
        <Chart
          label="Tokens issued"
          times={times}
          series={[{ label: 'Tokens', values: counters.tokensIssued }]}
          format={countText}
        />
      </Card>
      <Card>
        <Chart
          label="Memory"
          times={times}
          series={[{ label: 'Process memory', values: gauges.memoryBytes }]}
          format={bytesText}
        />
      </Card>
      <Card>
        <Chart
          label="Response times"
          times={times}
          series={[
            { label: 'Database', values: gauges.databaseMilliseconds },
            { label: 'Event loop', values: gauges.eventLoopMilliseconds },
          ]}
          format={milliseconds}
        />
      </Card>
    </div>
  );
}

interface CountProps {
  label: string;
  count: number;
  to?: string;
}

function Count({ label, count, to }: CountProps) {
  const content = (
    <>
      <span className="block text-muted">{label}</span>
      <span className="mt-1 block text-2xl font-semibold tracking-tight tabular-nums">
        {count.toLocaleString('en')}
      </span>
    </>
  );
  const box = 'block rounded-lg border bg-surface p-4';
  return to ? (
    <Link to={to as '/instance/users'} className={`${box} hover:border-edge`}>
      {content}
    </Link>
  ) : (
    <div className={box}>{content}</div>
  );
}
