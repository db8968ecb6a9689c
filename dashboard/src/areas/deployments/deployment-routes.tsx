import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { routesQuery } from '#areas/deployments/data.ts';
import { hasArtefact, NotBuilt } from '#areas/deployments/deployment-files.tsx';
import { DeploymentFrame } from '#areas/deployments/deployment-frame.tsx';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { classes } from '#ui/classes.ts';
import { Mono } from '#ui/code-block.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Facts } from '#ui/facts.tsx';
import { Field, Input } from '#ui/field.tsx';

const route = getRouteApi('/signed-in/o/$slug/apps/$applicationId/deployments/$deploymentId/routes');

export function DeploymentRoutes() {
  const { deploymentId } = route.useParams();
  return (
    <DeploymentFrame deploymentId={deploymentId}>
      {(deployment) => (hasArtefact(deployment) ? <Rules id={deployment.id} /> : <NotBuilt />)}
    </DeploymentFrame>
  );
}

const kinds = {
  file: 'A published file',
  function: 'A function',
  proxy: 'Another server',
  redirect: 'A redirect',
  missing: 'Nothing: the not-found page',
  bad_request: 'Nothing: the path is not valid',
} as const;

function Rules({ id }: { id: string }) {
  const { data: routes } = useQuery(routesQuery(id));
  const [url, setUrl] = useState('/');
  const test = useMutation({ mutationFn: () => api.deployments.testRoutes(id, { url }) });
  const verdict = test.data;
  return (
    <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
      <Card
        title="Rules"
        description="Rules are evaluated in order; the first match that leads to a target applies."
      >
        {routes?.items.length === 0 ? (
          <p className="text-muted">No rules. Paths are matched to files by name.</p>
        ) : (
          <ol className="divide-y rounded-md border">
            {routes?.items.map((one) => (
              <li
                key={one.index}
                className={classes(
                  'flex flex-wrap items-baseline gap-x-3 gap-y-1 px-3 py-2',
                  verdict?.route === one.index && 'bg-accent-soft',
                )}
              >
                <span className="w-6 text-right text-faint tabular-nums">{one.index + 1}</span>
                <Mono>{one.source}</Mono>
                <span aria-hidden className="text-faint">
                  →
                </span>
                <span className="min-w-0 font-mono text-xs wrap-anywhere">{one.destination ?? '–'}</span>
                {(one as { redirect?: boolean }).redirect && <Badge>redirect</Badge>}
              </li>
            ))}
          </ol>
        )}
      </Card>
      <Card title="Test a URL" description="Which rule matches, and what responds.">
        <form
          className="flex items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            test.mutate();
          }}
        >
          <Field label="Path or URL" className="flex-1">
            <Input
              value={url}
              onChange={({ target }) => setUrl(target.value)}
              className="font-mono"
              required
            />
          </Field>
          <Button type="submit" look="primary" busy={test.isPending}>
            Test
          </Button>
        </form>
        <div aria-live="polite" className="mt-4 space-y-4">
          {test.error && <ErrorNotice error={test.error} />}
          {verdict && (
            <>
              <Facts
                facts={[
                  ['Served by', kinds[verdict.kind]],
                  ['Target', verdict.target && <Mono key="target">{verdict.target}</Mono>],
                  ['Rule', verdict.route === null ? 'None' : String(verdict.route + 1)],
                  ['Status', verdict.status === null ? null : String(verdict.status)],
                  ...Object.entries(verdict.headers).map(([name, value]) => [name, String(value)] as const),
                ]}
              />
              {verdict.steps.length > 0 && (
                <ol className="divide-y rounded-md border text-muted">
                  {verdict.steps.map((step) => (
                    <li key={step.route} className="flex flex-wrap gap-x-3 px-3 py-1.5">
                      <span className="w-6 text-right tabular-nums">{step.route + 1}</span>
                      <Mono>{step.source}</Mono>
                      <span>{step.result}</span>
                    </li>
                  ))}
                </ol>
              )}
            </>
          )}
        </div>
      </Card>
    </div>
  );
}
