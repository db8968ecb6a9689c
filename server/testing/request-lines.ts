import { newId } from '#core/ids.ts';
import type { RequestLine } from '#core/request-log.ts';

/** An answered request as the gateway would write it. */
export function requestLine(line: Partial<RequestLine> & { applicationId: string }): RequestLine {
  const startedAt = line.startedAt ?? Date.now();
  return {
    id: newId(startedAt),
    organizationId: '0195c11c-0000-7000-8000-00000000000a',
    method: 'GET',
    hostname: 'shop.example.com',
    path: '/',
    protocol: 'HTTP/1.1',
    requestHeaders: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36' },
    responseHeaders: { 'content-type': 'text/html' },
    status: 200,
    durationMs: 12,
    bytesSent: 1000,
    startedAt,
    completedAt: startedAt + 12,
    ...line,
  };
}
