import type { Deployment } from '@mainstay/sdk';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { FileBox } from 'lucide-react';
import { useState } from 'react';
import { bytesText } from '#api/numbers.ts';
import { filesQuery, functionsQuery } from '#areas/deployments/data.ts';
import { DeploymentFrame } from '#areas/deployments/deployment-frame.tsx';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Mono } from '#ui/code-block.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Facts } from '#ui/facts.tsx';
import { FilterField } from '#ui/filter-field.tsx';

const route = getRouteApi('/signed-in/o/$slug/apps/$applicationId/deployments/$deploymentId/files');

export function DeploymentFiles() {
  const { deploymentId } = route.useParams();
  return (
    <DeploymentFrame deploymentId={deploymentId}>
      {(deployment) => (hasArtefact(deployment) ? <Contents id={deployment.id} /> : <NotBuilt />)}
    </DeploymentFrame>
  );
}

/** Its build has ended well enough to have published something. */
export function hasArtefact({ summary }: Deployment): boolean {
  return summary !== null;
}

export function NotBuilt() {
  return (
    <EmptyState icon={<FileBox />} title="Nothing built yet">
      Files, functions and routes appear when the build has finished. See the build log for progress.
    </EmptyState>
  );
}

function Contents({ id }: { id: string }) {
  const [text, setText] = useState('');
  const { data: functions } = useQuery(functionsQuery(id));
  const files = useInfiniteQuery(filesQuery(id, text));
  const items = files.data?.pages.flatMap((page) => page.items) ?? [];
  const total = files.data?.pages[0]?.total ?? 0;
  return (
    <div className="space-y-4">
      <Card title="Functions" description="Server-side code of the project. Functions run on demand.">
        {functions?.items.length === 0 ? (
          <p className="text-muted">This deployment has only static files.</p>
        ) : (
          <ul className="divide-y">
            {functions?.items.map((one) => (
              <li key={one.id} className="py-3 first:pt-0 last:pb-0">
                <div className="mb-2 flex flex-wrap items-center gap-2">
                  <Mono>{one.name}</Mono>
                  <Badge>{one.runtime}</Badge>
                </div>
                <Facts
                  facts={[
                    ['Memory', `${one.memoryMegabytes} MB`],
                    ['Timeout', `${one.maxDurationSeconds} s`],
                    ['Package', one.packageBytes === null ? null : bytesText(one.packageBytes)],
                    ['Schedule', one.schedule],
                  ]}
                />
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Card title="Files" description="Static files, served compressed where that makes them smaller.">
        <div className="mb-3 flex flex-wrap items-center gap-3">
          <FilterField label="Search files" value={text} onChange={setText} />
          <span role="status" className="text-muted">
            {total.toLocaleString('en')} {total === 1 ? 'file' : 'files'}
          </span>
        </div>
        {items.length > 0 && (
          <div className="overflow-x-auto rounded-md border">
            <table className="w-full text-left">
              <thead className="bg-sunken text-muted">
                <tr>
                  <th className="px-3 py-2 font-medium">Path</th>
                  <th className="px-3 py-2 font-medium">Type</th>
                  <th className="px-3 py-2 text-right font-medium">Size</th>
                  <th className="px-3 py-2 text-right font-medium">Brotli</th>
                </tr>
              </thead>
              <tbody className="divide-y">
                {items.map((one) => (
                  <tr key={one.id}>
                    <td className="px-3 py-1.5 font-mono text-xs wrap-anywhere">
                      {one.path} {one.immutable && <Badge>immutable</Badge>}
                    </td>
                    <td className="px-3 py-1.5 whitespace-nowrap text-muted">{one.type.split(';')[0]}</td>
                    <td className="px-3 py-1.5 text-right whitespace-nowrap tabular-nums">
                      {bytesText(one.bytes)}
                    </td>
                    <td className="px-3 py-1.5 text-right whitespace-nowrap text-muted tabular-nums">
                      {one.brotliBytes === null ? '–' : bytesText(one.brotliBytes)}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        {files.hasNextPage && (
          <Button className="mt-3" busy={files.isFetchingNextPage} onClick={() => void files.fetchNextPage()}>
            Load more
          </Button>
        )}
      </Card>
    </div>
  );
}
