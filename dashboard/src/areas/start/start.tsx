import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { tokenCurl } from '#api/snippets.ts';
import { keysQuery } from '#areas/keys/data.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { Figures } from '#areas/start/figures.tsx';
import { LiveApplications } from '#areas/start/live-applications.tsx';
import { NeedsAttention } from '#areas/start/needs-attention.tsx';
import { RangeChoice } from '#areas/start/range-choice.tsx';
import { RecentActivity } from '#areas/start/recent-activity.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { classes } from '#ui/classes.ts';
import { CodeBlock } from '#ui/code-block.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { SecretOnce } from '#ui/secret-once.tsx';

const route = getRouteApi('/signed-in/o/$slug/');
/** How often it is looked whether the first token was issued. */
const watchMilliseconds = 1500;

/** From nothing to a first token; then how the organization is doing. */
export function Start() {
  const organization = useOrganization();
  const can = useCan();
  const { range = '24h' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <PageHeader
        title={organization.name}
        description="Requests, costs, live deployments and recent activity."
        actions={
          <RangeChoice
            range={range}
            onChange={(next) => void navigate({ search: { range: next }, replace: true })}
          />
        }
        call={{ method: 'GET', path: `/organizations/${organization.id}/usage?range=${range}` }}
      />
      {can('createApiKey') && <FirstToken key={organization.id} />}
      <Figures organizationId={organization.id} range={range} />
      <NeedsAttention />
      {can('listLatestDeployments') && <LiveApplications />}
      {can('listAuditLog') && <RecentActivity />}
    </>
  );
}

function FirstToken() {
  const organization = useOrganization();
  const client = useQueryClient();
  const [made, setMade] = useState<{ id: string; secret: string }>();
  const { data: keys } = useQuery({
    ...keysQuery({ type: 'organization', organizationId: organization.id }),
    refetchInterval: ({ state }) =>
      made && !state.data?.some(({ lastUsedAt }) => lastUsedAt) ? watchMilliseconds : false,
  });
  const hasToken = keys?.some(({ lastUsedAt }) => lastUsedAt !== null) === true;
  const create = useAction({
    run: () => api.apiKeys.create({ name: 'First key', organizationId: organization.id }),
    done: 'Key created',
  });
  // Whoever has issued a token before needs no lesson; who just did sees the tick.
  if (!keys || (hasToken && !made)) return null;
  return (
    <Card
      className="mb-6"
      title={hasToken ? 'Your first token was issued' : 'Get your first token'}
      description={
        hasToken
          ? 'Send it as a bearer token with every API request.'
          : 'Clients exchange an API key for access tokens that last five minutes.'
      }
    >
      <ol className="space-y-5">
        <Step done={made !== undefined || keys.length > 0} title="Create an API key">
          {made ? (
            <SecretOnce label="Secret of the key" secret={made.secret} />
          ) : (
            <Button
              look={keys.length > 0 ? 'secondary' : 'primary'}
              busy={create.isPending}
              onClick={() =>
                create.mutate(undefined, {
                  onSuccess: (key) => {
                    setMade(key);
                    void client.invalidateQueries(
                      keysQuery({ type: 'organization', organizationId: organization.id }),
                    );
                  },
                })
              }
            >
              {keys.length > 0 ? 'Create another key' : 'Create the first key'}
            </Button>
          )}
        </Step>
        <Step done={hasToken} title={hasToken ? 'Token issued' : 'Exchange it for a token'}>
          {made && <CodeBlock label="In a terminal" code={tokenCurl(made)} />}
          {made && !hasToken && (
            <p role="status" className="mt-2 text-muted">
              Waiting for the first token…
            </p>
          )}
        </Step>
      </ol>
    </Card>
  );
}

function Step({ done, title, children }: { done: boolean; title: string; children: ReactNode }) {
  return (
    <li className="flex gap-3">
      <span
        aria-hidden
        className={classes(
          'mt-0.5 flex size-5 shrink-0 items-center justify-center rounded-full border',
          done && 'border-success bg-success-soft text-success',
        )}
      >
        {done && <Check className="size-3.5" />}
      </span>
      <div className="min-w-0 flex-1">
        <h3 className="mb-2 font-medium">
          {title}
          {done && <span className="sr-only"> (done)</span>}
        </h3>
        {children}
      </div>
    </li>
  );
}
