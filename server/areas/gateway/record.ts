import type { IncomingMessage } from 'node:http';
import { partId } from '#areas/deployments/service.ts';
import type { CacheStatus, RequestLine, RequestLog } from '#core/request-log.ts';
import type { Client } from '#http/client.ts';
import type { Live } from './target.ts';

/** A request of which is known what became of it. */
export interface Answered {
  id: string;
  request: IncomingMessage;
  client: Client;
  live: Live;
  hostname: string;
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
  /** Head and body together. */
  bytesSent?: number | undefined;
  error?: string | undefined;
  startedAt: number;
  completedAt: number;
}

/** Hands it to the request log. Runs for every request: without objects that are only taken apart again. */
export function record(requestLog: RequestLog, answered: Answered): void {
  const { request, live, client, startedAt, completedAt } = answered;
  const { url = '' } = request;
  const line: RequestLine = {
    id: answered.id,
    organizationId: live.organizationId,
    applicationId: live.applicationId,
    deploymentId: live.deploymentId,
    method: request.method ?? 'GET',
    hostname: answered.hostname,
    path: answered.path,
    protocol: `HTTP/${request.httpVersion}`,
    requestHeaders: request.headers,
    responseHeaders: answered.responseHeaders,
    status: answered.status,
    responseBodyBytes: answered.responseBodyBytes,
    durationMs: completedAt - startedAt,
    startedAt,
    completedAt,
  };
  const at = url.indexOf('?');
  if (at !== -1) line.query = url.slice(at + 1);
  if (client.address !== '') line.address = client.address;
  if (answered.cache !== undefined) line.cacheStatus = answered.cache;
  if (answered.requestBodyBytes !== undefined) line.requestBodyBytes = answered.requestBodyBytes;
  if (answered.bytesSent !== undefined) line.bytesSent = answered.bytesSent;
  if (answered.error !== undefined) line.error = answered.error;
  nameAnswerer(line, answered);
  requestLog.write(line);
}

/** The function or the file, as the log names it. */
function nameAnswerer(line: RequestLine, { live, functionName: name, assetPath: file }: Answered): void {
  const { deploymentId, artefact } = live;
  if (name !== undefined) {
    line.deploymentFunctionId = partId(deploymentId, 'function', name);
    line.deploymentFunction = { name, path: name, region: null };
  } else if (file !== undefined) {
    line.deploymentAssetId = partId(deploymentId, 'file', file);
    line.deploymentAsset = { path: file, objectKey: artefact };
  }
}
