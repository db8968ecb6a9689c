import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { type ApiCall, curlOf } from '#api/snippets.ts';
import { useApplication, useEnvironment } from '#areas/applications/data.ts';
import { applicationVariablesQuery, storedQuery } from '#areas/applications/queries.ts';
import { deploymentsQuery } from '#areas/deployments/data.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { type Operation, useCan } from '#areas/organizations/permissions.ts';
import { buttonClass } from '#ui/button-class.ts';
import { Card } from '#ui/card.tsx';
import { classes } from '#ui/classes.ts';
import { CodeBlock } from '#ui/code-block.tsx';

interface Step {
  title: string;
  text: string;
  /** Undefined while it is not known. */
  done: boolean | undefined;
  needs: Operation;
  action: string;
  link: LinkProps;
  call: ApiCall;
}

/** The first visit: configure it, give it storage, deploy it. Gone once all of it is done. */
export function Checklist() {
  const can = useCan();
  const steps = useSteps().filter(({ needs }) => can(needs));
  const known = steps.every(({ done }) => done !== undefined);
  if (!known || steps.every(({ done }) => done)) return null;
  return (
    <Card title="Get started" description="Three steps to a running application.">
      <ol className="divide-y">
        {steps.map((step, index) => (
          <li key={step.title} className="py-4 first:pt-0">
            <div className="flex items-start gap-3">
              <Mark done={step.done === true} number={index + 1} />
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
            </div>
            {!step.done && (
              <div className="mt-3 sm:ml-9">
                <CodeBlock code={step.call.cli ?? curlOf(step.call)} />
              </div>
            )}
          </li>
        ))}
      </ol>
      <Further />
    </Card>
  );
}

function useSteps(): Step[] {
  const { slug } = useOrganization();
  const { id: applicationId, organizationId } = useApplication();
  const environment = useEnvironment();
  const can = useCan();
  const { data: variables } = useQuery(applicationVariablesQuery(applicationId));
  const { data: stored } = useQuery({
    ...storedQuery(organizationId, applicationId),
    enabled: can('getStorageTotals'),
  });
  const { data: deployments } = useInfiniteQuery({
    ...deploymentsQuery(applicationId),
    enabled: can('listDeployments'),
  });
  const params = { slug, applicationId };
  const create = { create: true } as const;
  return [
    {
      title: 'Set its variables',
      text: 'Configuration for all environments or for one. Variables of the organization apply too.',
      done: variables && variables.length > 0,
      needs: 'createApplicationEnvVar',
      action: 'Add a variable',
      link: { to: '/o/$slug/apps/$applicationId/variables', params, search: create },
      call: {
        method: 'POST',
        path: `/applications/${applicationId}/env-vars`,
        body: { key: 'LOG_LEVEL', value: 'info' },
      },
    },
    {
      title: 'Create a bucket',
      text: 'Store files and reach them through the API, S3 and signed URLs.',
      done: stored && stored.buckets > 0,
      needs: 'createStorageBucket',
      action: 'Create a bucket',
      link: { to: '/o/$slug/apps/$applicationId/storage', params, search: create as never },
      call: {
        method: 'POST',
        path: `/applications/${applicationId}/storage/buckets`,
        body: { name: 'uploads', ...(environment ? { environment: environment.slug } : {}) },
      },
    },
    {
      title: 'Deploy it',
      text: 'Upload an archive of your project. It is built here and served at its hostname.',
      done: deployments && (deployments.pages[0]?.items.length ?? 0) > 0,
      needs: 'createDeployment',
      action: 'Deploy',
      link: { to: '/o/$slug/apps/$applicationId/deployments', params },
      call: { method: 'POST', path: '/deployments', body: { applicationId } },
    },
  ];
}

/** What can be done besides, in any order. */
function Further() {
  const { slug } = useOrganization();
  const { id: applicationId } = useApplication();
  const can = useCan();
  const params = { slug, applicationId };
  const search = { create: true } as const;
  const links: (readonly [text: string, needs: Operation, link: LinkProps])[] = [
    ['Create an API key', 'createApiKey', { to: '/o/$slug/apps/$applicationId/keys', params, search }],
    ['Use the cache', 'listApplicationCacheKeys', { to: '/o/$slug/apps/$applicationId/cache', params }],
    ['Add a domain', 'addDomain', { to: '/o/$slug/apps/$applicationId/domains', params, search }],
  ];
  return (
    <p className="flex flex-wrap items-center gap-2 border-t pt-4">
      {links
        .filter(([, needs]) => can(needs))
        .map(([text, , link]) => (
          <Link key={text} {...link} className={buttonClass({ look: 'ghost', size: 'sm' })}>
            {text}
          </Link>
        ))}
    </p>
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
