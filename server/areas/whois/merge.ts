import type { WhoisRecord } from './record.ts';

/**
 * One record of two answers about one domain: what the registry says stands, the registrar fills what it leaves open.
 * Registries of the thin model (com, net) know no contacts at all.
 */
export function merge(registry: WhoisRecord, registrar: WhoisRecord): WhoisRecord {
  const { registrant, admin, tech, billing } = registrar;
  return {
    domain: {
      ...filled(registry.domain, registrar.domain),
      status: registry.domain.status.length > 0 ? registry.domain.status : registrar.domain.status,
    },
    registrar: filled(registry.registrar, registrar.registrar),
    registrant: filled(registry.registrant, registrant),
    admin: filled(registry.admin, admin),
    tech: filled(registry.tech, tech),
    billing: filled(registry.billing, billing),
    nameservers: registry.nameservers.length > 0 ? registry.nameservers : registrar.nameservers,
    dnssec: registry.dnssec ?? registrar.dnssec,
  };
}

function filled<T extends object>(first: T, second: T): T {
  const result = { ...first };
  for (const key of Object.keys(second) as (keyof T)[]) result[key] ??= second[key];
  return result;
}
