import type { IncomingMessage } from 'node:http';
import { partId } from '#areas/deployments/service.ts';
import type { CacheStatus, RequestLine, RequestLog } from '#core/request-log.ts';
import type { Client } from './client.ts';
import { hostName } from './routes/compile.ts';
import type { Live } from './target.ts';

/** A request of which is known what became of it. */
export interface Answered {
  id: string;
  request: IncomingMessage;
  client: Client;
  live: Live;
  path: string;
  /** What responded, where that was one of these. */
  functionName?: string | undefined;
  assetPath?: string | undefined;
  cache?: CacheStatus | undefined;
  /** Null: the connection ended before an answer. */
  status: number | null;
  responseHeaders: RequestLine['responseHeaders'];
  requestBodyBytes?: number | undefined;
  responseBodyBytes: number;
  error?: string | undefined;
  startedAt: number;
  completedAt: number;
}

/** Hands it to the request log. */
export function record(requestLog: RequestLog, answered: Answered): void {
  const { request, live, client, cache, error, requestBodyBytes, startedAt, completedAt } = answered;
  const at = request.url?.indexOf('?') ?? -1;
  requestLog.write({
    id: answered.id,
    organizationId: live.organizationId,
    applicationId: live.applicationId,
    deploymentId: live.deploymentId,
    ...answeredBy(answered),
    ...(cache === undefined ? {} : { cacheStatus: cache }),
    method: request.method ?? 'GET',
    hostname: hostName(request.headers.host ?? ''),
    path: answered.path,
    ...(at === -1 ? {} : { query: (request.url as string).slice(at + 1) }),
    protocol: `HTTP/${request.httpVersion}`,
    ...(client.address === '' ? {} : { address: client.address }),
    requestHeaders: request.headers,
    responseHeaders: answered.responseHeaders,
    status: answered.status,
    ...(requestBodyBytes === undefined ? {} : { requestBodyBytes }),
    responseBodyBytes: answered.responseBodyBytes,
    durationMs: completedAt - startedAt,
    ...(error === undefined ? {} : { error }),
    startedAt,
    completedAt,
  });
}

/** The function or the file, as the log names it. */
function answeredBy({ live: { deploymentId, artefact }, functionName: name, assetPath: file }: Answered) {
  if (name !== undefined)
    return {
      deploymentFunctionId: partId(deploymentId, 'function', name),
      deploymentFunction: { name, path: name, region: null },
    };
  if (file === undefined) return {};
  return {
    deploymentAssetId: partId(deploymentId, 'file', file),
    deploymentAsset: { path: file, objectKey: artefact },
  };
}
