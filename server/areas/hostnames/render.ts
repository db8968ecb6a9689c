import type { Static } from 'typebox';
import type { HostnameRow } from '#accounts/applications/service.ts';
import { isoTime } from '#core/clock.ts';
import type { Addresses } from './address.ts';
import { toOwnDomain } from './domain.ts';
import { type Found, proofText } from './proof.ts';
import type { Domain } from './schema.ts';
import type { DomainRow } from './store.ts';

export function toHostname(row: HostnameRow, addresses: Addresses) {
  return {
    id: row.id,
    hostname: addresses.of(row.name),
    type: row.type,
    active: row.deployment_id !== null,
    deploymentId: row.deployment_id,
    branchId: row.branch_id,
    source: row.source,
    createdAt: isoTime(row.created_at),
  };
}

/** What a check left behind. */
export interface Checked extends Found {
  problem: string | null;
}

type DnsRecord = Static<typeof Domain>['records'][number];

/** `target` is the application's own hostname, as DNS knows it. */
export function toDomain(row: DomainRow, target: string): Static<typeof Domain> {
  const checked = row.checked_at === null ? null : (JSON.parse(row.found) as Checked);
  return {
    id: row.id,
    applicationId: row.application_id,
    domain: row.domain,
    state: row.state,
    records: records(row, target, checked),
    problem: checked?.problem ?? null,
    checkedAt: row.checked_at === null ? null : isoTime(row.checked_at),
    verifiedAt: row.verified_at === null ? null : isoTime(row.verified_at),
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  };
}

function records(row: DomainRow, target: string, checked: Checked | null): DnsRecord[] {
  const domain = toOwnDomain(row.domain);
  const status = (wanted: string, found: readonly string[]): Pick<DnsRecord, 'status' | 'found'> => {
    if (!checked) return { status: 'unknown', found: [] };
    if (found.includes(wanted)) return { status: 'set', found: [] };
    if (found.length > 0) return { status: 'different', found: [...found] };
    return { status: checked.failed ? 'unknown' : 'missing', found: [] };
  };
  const proof = proofText(row.token);
  const txt: DnsRecord = {
    ...{ type: 'TXT', name: domain.proofName, value: proof, purpose: 'proof' },
    ...status(proof, checked?.txt ?? []),
  };
  const lead = { name: domain.name, value: target } as const;
  // Wildcards cannot be asked for, and an apex has no CNAME record: what its provider makes of it cannot be told.
  const unseen = { status: 'unknown', found: [] as string[] } as const;
  if (domain.isWildcard) return [txt, { type: 'CNAME', ...lead, purpose: 'traffic', ...unseen }];
  if (domain.isApex) return [txt, { type: 'ALIAS', ...lead, purpose: 'traffic', ...unseen }];
  const cname = status(target, checked?.cname ?? []);
  return [{ type: 'CNAME', ...lead, purpose: 'proof_and_traffic', ...cname }, txt];
}
