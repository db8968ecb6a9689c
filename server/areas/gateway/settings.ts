import { size, text } from '#core/settings.ts';

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
};
