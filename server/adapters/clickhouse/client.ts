import { type ClickHouseClient, createClient } from '@clickhouse/client';

const timeoutMilliseconds = 30_000;

/** `clickhouse://` is `http://`, with `?tls=true` `https://`; the path names the database. */
export function connectClickHouse(address: string): ClickHouseClient {
  const url = new URL(address);
  const isTls = url.protocol === 'https:' || url.searchParams.get('tls') === 'true';
  const port = url.port || (isTls ? '8443' : '8123');
  return createClient({
    url: `${isTls ? 'https' : 'http'}://${url.hostname}:${port}`,
    username: decodeURIComponent(url.username) || 'default',
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)) || 'default',
    application: 'mainstay',
    request_timeout: timeoutMilliseconds,
    compression: { request: true, response: true },
    log: { LoggerClass: Silent },
  });
}

/** Failures reach their callers; the client need not print them as well. */
class Silent {
  trace(): void {}
  debug(): void {}
  info(): void {}
  warn(): void {}
  error(): void {}
}
