import { choice, duration, integer, size, text } from '#core/settings.ts';

export const requestLogSettings = {
  requestLogRetention: duration({
    name: 'MAINSTAY_REQUEST_LOG_RETENTION',
    meaning: 'How long answered requests are kept; whole days of them are deleted at once.',
    fallback: '30d',
    minSeconds: 86_400,
  }),
  runtimeLogRetention: duration({
    name: 'MAINSTAY_RUNTIME_LOG_RETENTION',
    meaning: 'How long lines of builds and of running deployments are kept.',
    fallback: '30d',
    minSeconds: 86_400,
  }),
  usageLogRetention: duration({
    name: 'MAINSTAY_AI_USAGE_LOG_RETENTION',
    meaning: 'How long events of AI usage are kept.',
    fallback: '400d',
    minSeconds: 86_400,
  }),
  requestLogSample: integer({
    name: 'MAINSTAY_REQUEST_LOG_SAMPLE_PERCENT',
    meaning:
      'Share of answered requests that are kept. Those that failed (5xx, or no answer) are all kept; statistics count ' +
      'each of the others for as many as it stands for.',
    fallback: 100,
    min: 1,
    max: 100,
  }),
  requestLogAddresses: choice({
    name: 'MAINSTAY_REQUEST_LOG_ADDRESSES',
    meaning:
      'What is kept of the addresses of clients: all of them, their network (/24 of IPv4, /48 of IPv6), or nothing.',
    values: ['full', 'truncated', 'none'],
    fallback: 'truncated',
  }),
  requestLogCountries: text({
    name: 'MAINSTAY_REQUEST_LOG_COUNTRIES',
    meaning:
      'Database file (.mmdb, of MaxMind or DB-IP) that tells the country of an address. Without it no request has one.',
    shown: 'none',
  }),
  liveStreams: integer({
    name: 'MAINSTAY_LIVE_STREAMS',
    meaning:
      'How many live streams of logs (requests, builds, what functions print) a process serves at once; a quarter of them to ' +
      'one organization.',
    fallback: 400,
    min: 4,
    max: 100_000,
  }),
  logBuffer: size({
    name: 'MAINSTAY_LOG_BUFFER',
    meaning:
      'What each process may hold of lines that are not stored yet. Lines beyond are dropped and counted.',
    fallback: '32MiB',
    minBytes: 1024 * 1024,
    maxBytes: 1024 ** 3,
  }),
};
