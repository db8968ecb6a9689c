import type { Static } from 'typebox';
import type { RequestDetail } from '#areas/request-logs/service.ts';

type Logged = Static<typeof RequestDetail>;

/** A request a line, as the API shows it with its headers. */
export function toNdjson(lines: readonly Logged[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** OTLP/HTTP with JSON, names after OpenTelemetry's semantic conventions for HTTP. */
export function toOtlp(lines: readonly Logged[], application: { id: string; name: string }): string {
  const resource = attributes({ 'service.name': application.name, 'service.instance.id': application.id });
  const logRecords = lines.map(toRecord);
  return JSON.stringify({
    resourceLogs: [
      { resource: { attributes: resource }, scopeLogs: [{ scope: { name: 'mainstay' }, logRecords }] },
    ],
  });
}

/** INFO, WARN for what the client did wrong, ERROR for what we did. */
function severity(status: number | null): { severityNumber: number; severityText: string } {
  if (status === null || status >= 500) return { severityNumber: 17, severityText: 'ERROR' };
  if (status >= 400) return { severityNumber: 13, severityText: 'WARN' };
  return { severityNumber: 9, severityText: 'INFO' };
}

function toRecord({ id, request, response, metrics, startedAt, error, deployment, storageBucket }: Logged) {
  const nanoseconds = `${Date.parse(startedAt)}000000`;
  return {
    timeUnixNano: nanoseconds,
    observedTimeUnixNano: nanoseconds,
    ...severity(response.status),
    body: { stringValue: `${request.method} ${request.path} ${response.status ?? 'aborted'}` },
    attributes: attributes({
      'mainstay.request.id': id,
      'http.request.method': request.method,
      'server.address': request.hostname,
      'url.path': request.path,
      'url.query': request.query,
      'http.response.status_code': response.status,
      'http.response.size': metrics.bytesSent,
      'http.server.request.duration_ms': metrics.durationMs,
      'user_agent.original': request.userAgent,
      'client.geo.country_iso_code': request.country,
      'mainstay.cache.status': response.cacheStatus,
      'mainstay.deployment.id': deployment?.id ?? null,
      'mainstay.storage.bucket': storageBucket?.name ?? null,
      'error.message': error,
    }),
  };
}

function attributes(values: Record<string, string | number | null>) {
  return Object.entries(values)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => {
      if (typeof value === 'string') return { key, value: { stringValue: value } };
      return { key, value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value } };
    });
}
