import { duration, url } from '#core/settings.ts';

export const serviceSettings = {
  servicesPostgresUrl: url({
    name: 'MAINSTAY_SERVICES_POSTGRES_URL',
    meaning:
      'PostgreSQL 15 or later whose role may create databases and roles: deployments that ask for `services.postgres` get one ' +
      'of each. It must demand passwords. Use another server than that of MAINSTAY_DATABASE_URL.',
    protocols: ['postgres:', 'postgresql:'],
    shown: 'none',
    secret: true,
  }),
  servicesRedisUrl: url({
    name: 'MAINSTAY_SERVICES_REDIS_URL',
    meaning:
      'Redis or Valkey 7 or later whose user may make users: deployments that ask for `services.redis` get one with a prefix. ' +
      'It must demand a password. Use another server than that of MAINSTAY_CACHE_URL.',
    protocols: ['redis:', 'rediss:'],
    shown: 'none',
    secret: true,
  }),
  servicesGrace: duration({
    name: 'MAINSTAY_SERVICES_GRACE',
    meaning: 'How long the database and the keys of an environment are kept after it was deleted.',
    fallback: '7d',
  }),
};
