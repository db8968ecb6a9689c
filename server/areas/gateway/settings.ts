import { duration, size, text } from '#core/settings.ts';

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
};
