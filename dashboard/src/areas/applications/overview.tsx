import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { tokenCurl } from '#api/snippets.ts';
import { useApplication, useEnvironment, useEnvironments } from '#areas/applications/data.ts';
import { applicationVariablesQuery, domainsQuery, hostnamesQuery } from '#areas/applications/queries.ts';
import { LiveCard } from '#areas/deployments/live-card.tsx';
import { keysQuery } from '#areas/keys/data.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { buttonClass } from '#ui/button-class.ts';
import { Card } from '#ui/card.tsx';
import { classes } from '#ui/classes.ts';
import { CodeBlock, Mono } from '#ui/code-block.tsx';
import { Facts } from '#ui/facts.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

export function Overview() {
  const application = useApplication();
  const environments = useEnvironments();
  const can = useCan();
  const { data: hostnames } = useQuery(hostnamesQuery(application.id));
  const own = hostnames?.items.find(({ type, source }) => type === 'APP' && source === 'system');
  return (
    <>
      <PageHeader
        title={application.name}
        description="What it is, and what to do next."
        badge={
          own && (
            <StatusBadge
              status={own.active ? 'live' : 'inactive'}
              text={own.active ? 'Live' : 'Not deployed'}
            />
          )
        }
        call={{ method: 'GET', path: `/applications/${application.id}` }}
      />
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="min-w-0 space-y-4">
          {can('listDeployments') && <LiveCard />}
          <Checklist />
        </div>
        <Card title="About">
          <Facts
            facts={[
              ['Hostname', own && <Mono copy>{own.hostname}</Mono>],
              [
                'Application ID',
                <Mono key="id" copy>
                  {application.id}
                </Mono>,
              ],
              ['Environments', environments.map(({ name }) => name).join(', ')],
              ['Root directory', application.rootDirectory],
              ['Created', <RelativeTime key="created" time={application.createdAt} />],
            ]}
          />
        </Card>
      </div>
    </>
  );
}

interface Step {
  title: string;
  text: string;
  done: boolean;
  action: string;
  link: LinkProps;
}

/** The way from nothing to an application that reads its configuration; each step knows whether it is done. */
function Checklist() {
  const { slug } = useOrganization();
  const application = useApplication();
  const environment = useEnvironment();
  const can = useCan();
  const { data: variables = [] } = useQuery(applicationVariablesQuery(application.id));
  const { data: keys } = useQuery({
    ...keysQuery({
      type: 'application',
      applicationId: application.id,
      organizationId: application.organizationId,
    }),
    enabled: can('listApiKeys'),
  });
  const { data: domains = [] } = useQuery(domainsQuery(application.id));
  const params = { slug, applicationId: application.id };
  const steps: (Step | false)[] = [
    {
      title: 'Set its variables',
      text: 'Configuration for all environments or for one. Variables of the organization are seen too.',
      done: variables.length > 0,
      action: 'Add a variable',
      link: { to: '/o/$slug/apps/$applicationId/variables', params, search: { create: true } },
    },
    can('createApiKey') && {
      title: 'Create an API key',
      text: 'The application exchanges it for access tokens.',
      done: (keys?.length ?? 0) > 0,
      action: 'Create a key',
      link: { to: '/o/$slug/apps/$applicationId/keys', params, search: { create: true } },
    },
    {
      title: 'Add a domain',
      text: 'It has a hostname already; a domain of your own can lead to it too.',
      done: domains.some(({ state }) => state === 'verified'),
      action: 'Add a domain',
      link: { to: '/o/$slug/apps/$applicationId/domains', params, search: { create: true } },
    },
  ];
  const pull = `${location.origin}/applications/${application.id}/env-vars/pull?environment=${environment?.slug ?? ''}`;
  return (
    <Card title="Get started">
      <ol className="divide-y">
        {steps
          .filter((step) => step !== false)
          .map((step, index) => (
            <li key={step.title} className="flex items-start gap-3 py-3 first:pt-0">
              <Mark done={step.done} number={index + 1} />
              <div className="min-w-0 flex-1">
                <h3 className="font-medium">
                  {step.title}
                  {step.done && <span className="sr-only"> (done)</span>}
                </h3>
                <p className="text-muted">{step.text}</p>
              </div>
              <Link
                {...step.link}
                className={buttonClass({ look: step.done ? 'ghost' : 'secondary', size: 'sm' })}
              >
                {step.action}
              </Link>
            </li>
          ))}
        <li className="space-y-3 pt-3">
          <h3 className="font-medium">Pull the configuration</h3>
          <CodeBlock
            label="A token, with a key of this application"
            code={tokenCurl({ id: '$KEY_ID', secret: '$SECRET' }).replaceAll(
              "'$KEY_ID:$SECRET'",
              '"$KEY_ID:$SECRET"',
            )}
          />
          <CodeBlock
            label={`What it sees in ${environment?.name ?? 'its environment'}`}
            code={`curl '${pull}' \\\n  -H "Authorization: Bearer $MAINSTAY_TOKEN"`}
          />
        </li>
      </ol>
    </Card>
  );
}

function Mark({ done, number }: { done: boolean; number: number }) {
  return (
    <span
      aria-hidden
      className={classes(
        'flex size-6 shrink-0 items-center justify-center rounded-full text-xs font-medium',
        done ? 'bg-success-soft text-success' : 'bg-pressed text-muted',
      )}
    >
      {done ? <Check className="size-3.5" /> : number}
    </span>
  );
}
