import { integer, text } from '#core/settings.ts';

export const hostnameSettings = {
  appsDomain: text({
    name: 'MAINSTAY_APPS_DOMAIN',
    meaning:
      'Parent of the hostnames of applications. Browsers resolve the default to this machine. It must not share its ' +
      'registrable domain with the dashboard.',
    pattern: /^(?=.{1,190}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
    expected: 'a domain name in small letters, without a port',
    shown: 'apps.localhost',
  }),
  gatewayPort: integer({
    name: 'MAINSTAY_GATEWAY_PORT',
    meaning: 'Port on which applications answer. 0 takes any free one.',
    fallback: 4080,
    min: 0,
    max: 65_535,
  }),
  appsPort: integer({
    name: 'MAINSTAY_APPS_PORT',
    meaning:
      'Port in the addresses of applications, where a proxy in front answers on another than MAINSTAY_GATEWAY_PORT. ' +
      '0: that of the gateway. 80 and 443 are not shown in addresses.',
    fallback: 0,
    min: 0,
    max: 65_535,
  }),
  domainQuota: integer({
    name: 'MAINSTAY_DOMAINS_PER_APPLICATION',
    meaning: 'How many domains of their own the owners of an application may add to it.',
    fallback: 50,
    min: 0,
    max: 10_000,
  }),
  organizationDomains: integer({
    name: 'MAINSTAY_DOMAINS_PER_ORGANIZATION',
    meaning: 'How many domains of their own all applications of an organization may have together.',
    fallback: 500,
    min: 0,
    max: 1_000_000,
  }),
};
