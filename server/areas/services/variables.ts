import type { Configuration } from '@mainstay/config';
import type { ServiceAddress, ServiceKind } from '#core/service-engine.ts';

export type Wanted = NonNullable<Configuration['services']>;

/** As code of the deployment finds it. */
export interface ServiceVariable {
  key: string;
  value: string;
  /** It holds the password. */
  sensitive: boolean;
}

interface Part {
  /** Of the role or the user, and of the database or the prefix. */
  name: string;
  password: string;
  address: ServiceAddress;
}

const usual = {
  postgres: {
    ...{ url: 'DATABASE_URL', host: 'PGHOST', port: 'PGPORT' },
    ...{ user: 'PGUSER', password: 'PGPASSWORD', database: 'PGDATABASE' },
  },
  redis: {
    ...{ url: 'REDIS_URL', host: 'REDIS_HOST', port: 'REDIS_PORT', user: 'REDIS_USERNAME' },
    ...{ password: 'REDIS_PASSWORD', prefix: 'REDIS_PREFIX' },
  },
} as const;

/** The variables of a service: those that the configuration names for its parts, else the usual ones. */
export function variablesFor(kind: ServiceKind, wanted: Wanted, part: Part): ServiceVariable[] {
  const { host, port, tls } = part.address;
  const at = `${part.name}:${part.password}@${host.includes(':') ? `[${host}]` : host}:${port}`;
  const common = { host, port: String(port), user: part.name, password: part.password };
  const values: Record<string, string> =
    kind === 'postgres'
      ? { ...common, url: `postgres://${at}/${part.name}`, database: part.name }
      : {
          ...{ ...common, url: `${tls ? 'rediss' : 'redis'}://${at}/0`, prefix: `${part.name}:` },
          ...{ db: '0', ssl: String(tls) },
        };
  const own = wanted[kind]?.envBindings ?? {};
  const names = Object.keys(own).length > 0 ? own : usual[kind];
  return Object.entries(names).map(([name, key]) => ({
    ...{ key, value: values[name] as string },
    sensitive: name === 'url' || name === 'password',
  }));
}
