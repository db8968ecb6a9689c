import { isAddressBlock } from '#core/addresses.ts';
import { choice, duration, flag, integer, list, size, text, url } from '#core/settings.ts';

export const httpSettings = {
  port: integer({
    name: 'MAINSTAY_PORT',
    meaning: 'Port of the API and the dashboard. 0 takes any free one.',
    fallback: 4000,
    min: 0,
    max: 65_535,
  }),
  host: text({
    name: 'MAINSTAY_HOST',
    meaning: 'Address to listen on. 0.0.0.0 or :: for all of them.',
    shown: '127.0.0.1',
  }),
  baseUrl: url({
    name: 'MAINSTAY_BASE_URL',
    meaning: 'Public address of this instance: the issuer of its tokens, and the start of its links.',
    protocols: ['http:', 'https:'],
    shown: 'http://localhost:PORT',
  }),
  adminPort: integer({
    name: 'MAINSTAY_ADMIN_PORT',
    meaning: 'Port of /metrics, /healthz and /readyz for the tools of operators. 0 takes any free one.',
    fallback: 4001,
    min: 0,
    max: 65_535,
  }),
  adminHost: text({
    name: 'MAINSTAY_ADMIN_HOST',
    meaning: 'Address that the admin port listens on. It has no authentication: keep it private.',
    shown: '127.0.0.1',
  }),
  securityContact: text({
    name: 'MAINSTAY_SECURITY_CONTACT',
    meaning:
      'Contact for vulnerability reports: mailto:security@example.com or an https:// page. Published at /.well-known/security.txt.',
    expected: 'a mailto: or https:// address',
    pattern: /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/,
  }),
  trustedProxies: list({
    name: 'MAINSTAY_TRUSTED_PROXIES',
    meaning: 'Addresses and CIDR blocks whose X-Forwarded-* and X-Request-Id headers are trusted.',
    accepts: isAddressBlock,
    expected: 'a list of addresses or CIDR blocks separated by commas',
  }),
  corsOrigins: list({
    name: 'MAINSTAY_CORS_ORIGINS',
    meaning: 'Origins of other sites whose pages may call the API, separated by commas; * for all.',
    accepts: (origin) => /^(\*|https?:\/\/[^/\s]+)$/.test(origin),
    expected: 'a list of origins such as https://example.com, or *',
  }),
  bodyLimit: size({
    name: 'MAINSTAY_BODY_LIMIT',
    meaning: 'Largest request body, where an endpoint has no limit of its own.',
    fallback: '1MiB',
    minBytes: 16 * 1024,
  }),
  headerLimit: size({
    name: 'MAINSTAY_HEADER_LIMIT',
    meaning: 'Largest request head: request line and headers together.',
    fallback: '16KiB',
    minBytes: 4096,
    maxBytes: 1024 * 1024,
  }),
  headersTimeout: duration({
    name: 'MAINSTAY_HEADERS_TIMEOUT',
    meaning: 'How long a client may take to send the head of a request.',
    fallback: '10s',
    minSeconds: 1,
  }),
  requestTimeout: duration({
    name: 'MAINSTAY_REQUEST_TIMEOUT',
    meaning: 'How long a client may take to send a whole request.',
    fallback: '5m',
    minSeconds: 1,
  }),
  keepAliveTimeout: duration({
    name: 'MAINSTAY_KEEP_ALIVE_TIMEOUT',
    meaning: 'How long an idle connection is kept open.',
    fallback: '75s',
    minSeconds: 1,
  }),
  maxConnections: integer({
    name: 'MAINSTAY_MAX_CONNECTIONS',
    meaning: 'Open connections of one process; more are turned away.',
    fallback: 10_000,
    min: 1,
    max: 1_000_000,
  }),
  waitTimeout: duration({
    name: 'MAINSTAY_WAIT_TIMEOUT',
    meaning:
      'How long a request may wait for locks, connections and its place in queues, all together, before it is answered ' +
      '503. It bounds no stream that has begun, and gives nothing up after it was saved.',
    fallback: '15s',
    minSeconds: 1,
    maxSeconds: 3600,
  }),
  drainDelay: duration({
    name: 'MAINSTAY_DRAIN_DELAY',
    meaning:
      'How long new requests are still taken after SIGTERM, while /readyz says 503 so that load balancers send them ' +
      'elsewhere. After SIGINT: not at all.',
    fallback: '3s',
  }),
  shutdownTimeout: duration({
    name: 'MAINSTAY_SHUTDOWN_TIMEOUT',
    meaning: 'How long requests in flight may take to finish when the server is told to stop.',
    fallback: '30s',
  }),
  requestsPerMinute: integer({
    name: 'MAINSTAY_REQUESTS_PER_MINUTE',
    meaning:
      'Requests per minute that one API key or user may make of one process; beyond: 429. 0: no limit, for machines that ' +
      'serve one tenant.',
    fallback: 120_000,
    min: 0,
    max: 100_000_000,
  }),
  logLevel: choice({
    name: 'MAINSTAY_LOG_LEVEL',
    meaning: 'What is logged. `info` has a line for each request.',
    values: ['debug', 'info', 'warn', 'error', 'silent'],
    fallback: 'info',
  }),
  logFormat: choice({
    name: 'MAINSTAY_LOG_FORMAT',
    meaning: 'Form of the log: JSON lines, readable lines, or readable on a terminal and JSON elsewhere.',
    values: ['auto', 'json', 'pretty'],
    fallback: 'auto',
  }),
  metrics: flag({
    name: 'MAINSTAY_METRICS',
    meaning: 'Whether Prometheus metrics are kept and served at /metrics of the admin port.',
    fallback: true,
  }),
  tracesUrl: url({
    name: 'MAINSTAY_TRACES_URL',
    meaning:
      'OpenTelemetry collector (OTLP over HTTP) that traces are sent to, such as http://localhost:4318/v1/traces.',
    protocols: ['http:', 'https:'],
    shown: 'none',
  }),
  tracesSample: integer({
    name: 'MAINSTAY_TRACES_SAMPLE_PERCENT',
    meaning: 'Share of requests that are traced, where the caller has not decided.',
    fallback: 10,
    min: 0,
    max: 100,
  }),
};
