import { duration, integer, list, text } from '#core/settings.ts';

export const applicationSettings = {
  applicationQuota: integer({
    name: 'MAINSTAY_APPLICATIONS_PER_ORGANIZATION',
    meaning: 'How many applications an organization may have.',
    fallback: 200,
    min: 1,
    max: 1_000_000,
  }),
  applicationsPerMinute: integer({
    name: 'MAINSTAY_APPLICATIONS_PER_MINUTE',
    meaning: 'How many applications may be created in an organization within a minute.',
    fallback: 60,
    min: 1,
    max: 100_000,
  }),
  applicationGrace: duration({
    name: 'MAINSTAY_APPLICATION_GRACE',
    meaning: 'How long a deleted application can be restored before it is gone with everything that it owns.',
    fallback: '30d',
  }),
  environmentQuota: integer({
    name: 'MAINSTAY_ENVIRONMENTS_PER_APPLICATION',
    meaning: 'How many environments an application may have.',
    fallback: 50,
    min: 2,
    max: 1000,
  }),
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
    meaning: 'Port on which applications answer.',
    fallback: 4080,
    min: 1,
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
  reservedLabels: list({
    name: 'MAINSTAY_RESERVED_LABELS',
    meaning: 'Labels that no application may have as its hostname, besides those that are reserved anyway.',
  }),
};
