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
  websocketIdle: duration({
    name: 'MAINSTAY_WEBSOCKET_IDLE',
    meaning: 'How long a WebSocket to a function may carry no byte in either direction before it is ended.',
    fallback: '10m',
    minSeconds: 1,
  }),
  websocketsPerAddress: integer({
    name: 'MAINSTAY_WEBSOCKETS_PER_ADDRESS',
    meaning:
      'Most WebSockets that one client address (IPv6: one /64) may have open on this node; further ones are answered by 429.',
    fallback: 1000,
    min: 1,
    max: 1_000_000,
  }),
  deploymentSkew: duration({
    name: 'MAINSTAY_DEPLOYMENT_SKEW',
    meaning:
      'How long pages of a deployment that was replaced go on with their own version: its hashed files, and requests that name it.',
    fallback: '24h',
    minSeconds: 0,
  }),
};
