import { duration, integer, size, text } from '#core/settings.ts';

export const gatewaySettings = {
  gatewayHost: text({
    name: 'MAINSTAY_GATEWAY_HOST',
    meaning: 'Address on which applications answer.',
    shown: '127.0.0.1',
  }),
  gatewayCacheBytes: size({
    name: 'MAINSTAY_GATEWAY_CACHE',
    meaning: 'Memory for small published files.',
    fallback: '64MiB',
  }),
  gatewayAnswerBytes: size({
    name: 'MAINSTAY_GATEWAY_ANSWERS',
    meaning:
      'Memory for answers of functions and proxied servers that may be kept (see docs/deployments.md).',
    fallback: '64MiB',
  }),
  deploymentSkew: duration({
    name: 'MAINSTAY_DEPLOYMENT_SKEW',
    meaning:
      'How long pages of a deployment that was replaced go on with their own version: its hashed files, and requests that name it.',
    fallback: '24h',
    minSeconds: 0,
  }),
  functionIdle: duration({
    name: 'MAINSTAY_FUNCTION_IDLE',
    meaning: 'How long a process of a function stays after its last request.',
    fallback: '5m',
    minSeconds: 1,
  }),
  functionConcurrency: integer({
    name: 'MAINSTAY_FUNCTION_CONCURRENCY',
    meaning: 'Requests that one process of a function answers at a time.',
    fallback: 100,
    min: 1,
    max: 10_000,
  }),
  functionInstances: integer({
    name: 'MAINSTAY_FUNCTION_INSTANCES',
    meaning: 'Most processes of one function on this node.',
    fallback: 4,
    min: 1,
    max: 1000,
  }),
  functionQueue: integer({
    name: 'MAINSTAY_FUNCTION_QUEUE',
    meaning: 'Requests that wait for a process of a function; further ones are answered by 503.',
    fallback: 1000,
    min: 0,
    max: 100_000,
  }),
};
