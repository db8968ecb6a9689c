import type { RequestLogDetail } from '@mainstay/sdk';
import { useQuery } from '@tanstack/react-query';
import { bytesText, millisecondsText } from '#api/numbers.ts';
import { requestQuery } from '#areas/logs/data.ts';
import { RequestStatus } from '#areas/logs/request-columns.tsx';
import { Button } from '#ui/button.tsx';
import { Mono } from '#ui/code-block.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Facts } from '#ui/facts.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

interface RequestDialogProps {
  applicationId: string;
  requestId: string;
  onClose: () => void;
  onFilter: (filters: Record<string, string | undefined>) => void;
}

export function RequestDialog({ applicationId, requestId, onClose, onFilter }: RequestDialogProps) {
  const { data, error } = useQuery(requestQuery(applicationId, requestId));
  const title = data ? `${data.request.method} ${data.request.path}` : 'Request';
  return (
    <Dialog open wide onClose={onClose} title={title}>
      {error && <ErrorNotice error={error} />}
      {!data && !error && <Skeleton className="h-64 w-full" />}
      {data && <RequestDetails request={data} onFilter={onFilter} />}
    </Dialog>
  );
}

function RequestDetails({
  request: one,
  onFilter,
}: {
  request: RequestLogDetail;
  onFilter: RequestDialogProps['onFilter'];
}) {
  const { request, response, metrics, deployment, deploymentFunction, storageBucket, storageObject } = one;
  const deploymentId = deployment?.id;
  const bucketId = storageBucket?.id;
  return (
    <div className="space-y-5">
      {one.error !== null && <ErrorNotice sentence={one.error} />}
      <Facts
        facts={[
          ['Status', <RequestStatus key="status" status={response.status} />],
          ['When', <RelativeTime key="when" time={one.startedAt} />],
          ['Latency', millisecondsText(metrics.durationMs)],
          ['Host', request.hostname],
          ['Query', request.query && <Mono>{request.query}</Mono>],
          ['Cache', response.cacheStatus],
          ['Sent', bytesText(metrics.bytesSent)],
          ['Received', metrics.requestBodyBytes === null ? null : bytesText(metrics.requestBodyBytes)],
          ['Country', request.country],
          ['Client', one.clientAddress && `${one.clientAddress}${one.bot ? ', bot' : ''}`],
          ['User agent', request.userAgent],
          ['Referrer', request.referer],
          ['Deployment', deployment && <Mono copy>{deployment.id}</Mono>],
          ['Function', deploymentFunction && (deploymentFunction.name ?? deploymentFunction.path)],
          ['Bucket', storageBucket?.name],
          ['Object', storageObject?.key],
          [
            'Request ID',
            <Mono key="id" copy>
              {one.id}
            </Mono>,
          ],
        ]}
      />
      <HeaderTable title="Request headers" headers={one.requestHeaders} />
      <HeaderTable title="Response headers" headers={one.responseHeaders} />
      {one.truncated && (
        <p className="text-muted">Parts of this request were too long and have been truncated.</p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={() => onFilter({ pathPrefix: request.path })}>
          Only this path
        </Button>
        <Button size="sm" onClick={() => onFilter({ hostname: request.hostname })}>
          Only this host
        </Button>
        {response.status !== null && (
          <Button size="sm" onClick={() => onFilter({ status: String(response.status) })}>
            Only status {response.status}
          </Button>
        )}
        {deploymentId && (
          <Button size="sm" onClick={() => onFilter({ deploymentId })}>
            Only this deployment
          </Button>
        )}
        {bucketId && (
          <Button size="sm" onClick={() => onFilter({ storageBucketId: bucketId })}>
            Only this bucket
          </Button>
        )}
      </div>
    </div>
  );
}

function HeaderTable({ title, headers }: { title: string; headers: Record<string, string> }) {
  const entries = Object.entries(headers);
  if (entries.length === 0) return null;
  return (
    <section>
      <h3 className="mb-2 font-medium">{title}</h3>
      <dl className="grid grid-cols-[minmax(7rem,12rem)_minmax(0,1fr)] gap-x-4 gap-y-1 rounded-md border bg-sunken p-3 font-mono text-xs">
        {entries.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted wrap-anywhere">{name}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
