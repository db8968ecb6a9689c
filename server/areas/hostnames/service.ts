import {
  appHostname,
  changeLabel,
  findApplication,
  findHostname,
  type HostnameRow,
  hostnameTopic,
  insertHostname,
  type LabelRules,
  labelProblem,
  removeHostname,
  updateHostname,
} from '#accounts/applications/service.ts';
import { type ActionOf, type AuditSource, audit, systemSource } from '#accounts/audit-log/service.ts';
import type { Resolver } from '#areas/web-reputation/service.ts';
import type { Clock } from '#core/clock.ts';
import { counted } from '#core/counted.ts';
import type { Db, Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import { announce } from '#core/notifications.ts';
import { Problem } from '#core/problem.ts';
import type { Addresses } from './address.ts';
import { type OwnDomain, toOwnDomain } from './domain.ts';
import { type Found, lookUpDomain, proofIn } from './proof.ts';
import type { Checked } from './render.ts';
import {
  claim,
  count,
  countOfOrganization,
  type DomainRow,
  find,
  findByName,
  insert,
  listDue,
  remove,
  update,
} from './store.ts';
import { newToken } from './token.ts';

export type { Addresses } from './address.ts';
export { toHostname } from './render.ts';
export { Hostname } from './schema.ts';

export interface Deps {
  db: Db;
  clock: Clock;
  addresses: Addresses;
  resolver: Pick<Resolver, 'lookUp'>;
  quota: number;
  quotaOfOrganization: number;
}

const moreDomains = 'Delete one, or ask the operator for more.';

const minute = 60_000;
const hour = 60 * minute;
/** A pending domain is asked about each minute at first, then each hour, and given up after a week. */
const eagerFor = hour;
const pendingFor = 7 * 24 * hour;
/** A verified one each day, and each hour while its proof is missing: a mistake in a zone shall not take a site down. */
const verifiedEvery = 24 * hour;
const failingFor = 72 * hour;

/** Gives the application this label, and frees the one that it had. */
export async function setLabel(
  tx: Tx,
  { labels, clock }: { labels: LabelRules; clock: Clock },
  source: AuditSource,
  { applicationId, organizationId }: { applicationId: string; organizationId: string },
  label: string,
): Promise<HostnameRow> {
  const before = await appHostname(tx, applicationId);
  if (before?.name === label) return before;
  const reason = await labelProblem(tx, labels, applicationId, label);
  // What is taken may be free tomorrow; what is reserved is not.
  if (reason !== null)
    throw new Problem(labels.refusal(label) === null ? 'conflict' : 'invalid_request', reason);
  const after = await changeLabel(tx, applicationId, label, clock.now());
  await audit(tx, source, {
    organizationId,
    action: 'application.hostname_updated',
    targetType: 'application',
    targetId: applicationId,
    details: { from: before?.name ?? null, to: label },
  });
  return after;
}

export async function addDomain(
  tx: Tx,
  { clock, quota, quotaOfOrganization }: Deps,
  source: AuditSource,
  owner: { applicationId: string; organizationId: string },
  domain: OwnDomain,
): Promise<DomainRow> {
  const { applicationId, organizationId } = owner;
  if (await findByName(tx, applicationId, domain.name))
    throw new Problem('conflict', `The application has the domain "${domain.name}" already.`);
  const present = await count(tx, applicationId);
  if (present >= quota) {
    const has = `The application has ${counted(present, 'domain')}, and ${quota} is the limit.`;
    throw new Problem('forbidden', `${has} ${moreDomains}`);
  }
  const ofAll = await countOfOrganization(tx, { organizationId, state: undefined });
  if (ofAll >= quotaOfOrganization) {
    const has = `The applications of the organization have ${counted(ofAll, 'domain')} together, and ${quotaOfOrganization} is the limit.`;
    throw new Problem('forbidden', `${has} ${moreDomains}`);
  }
  const now = clock.now();
  const row: DomainRow = {
    id: newId(now),
    application_id: applicationId,
    domain: domain.name,
    state: 'pending',
    token: newToken(),
    found: '{}',
    verified_at: null,
    failing_since: null,
    checked_at: null,
    next_check_at: now + minute,
    created_at: now,
    updated_at: now,
  };
  await insert(tx, row);
  await auditDomain(tx, source, organizationId, row, 'created');
  return row;
}

export async function deleteDomain(
  tx: Tx,
  source: AuditSource,
  organizationId: string,
  row: DomainRow,
): Promise<void> {
  await remove(tx, row.id);
  await removeHostname(tx, row.domain, row.application_id);
  announce(tx, hostnameTopic, row.domain);
  await auditDomain(tx, source, organizationId, row, 'deleted');
}

/** Looks the domain up, and writes down what follows. Returns it as it is then; undefined when it was deleted. */
export async function checkDomain(
  deps: Deps,
  source: AuditSource,
  row: DomainRow,
): Promise<DomainRow | undefined> {
  const found = await lookUpDomain(deps.resolver, toOwnDomain(row.domain));
  return deps.db.write(async (tx) => {
    const current = await find(tx, row.application_id, row.id);
    return current && settle(tx, deps, source, current, found);
  });
}

/** Every domain whose time has come, on one node each. */
export async function checkDue(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  const due = await listDue(deps.db, now, 50);
  await Promise.all(
    due.map(async (row) => {
      if (await deps.db.write((tx) => claim(tx, row, now + hour))) await checkDomain(deps, systemSource, row);
    }),
  );
}

async function settle(
  tx: Tx,
  { clock, addresses }: Deps,
  source: AuditSource,
  row: DomainRow,
  found: Found,
): Promise<DomainRow> {
  const now = clock.now();
  const { application_id: applicationId, token } = row;
  const own = await appHostname(tx, applicationId);
  const application = await findApplication(tx, applicationId);
  if (!own || !application) return row;
  const organizationId = application.organization_id;
  const target = addresses.host(own.name);
  const proof = proofIn(found, { token, target });
  const holder = await findHostname(tx, row.domain);
  const isHeld = holder !== undefined && holder.application_id !== applicationId;

  // An alias may be left over from before the domain changed hands: only the TXT record names this application alone.
  if (proof === 'txt' || (proof === 'cname' && !isHeld)) {
    if (isHeld) await takeOver(tx, source, holder.application_id, row);
    const place = {
      environment_id: own.environment_id,
      deployment_id: own.deployment_id,
      application_id: applicationId,
      updated_at: now,
    };
    if (holder) await updateHostname(tx, holder.id, place);
    else {
      const kind = { type: 'APP', source: 'user', branch_id: null } as const;
      await insertHostname(tx, { id: newId(now), name: row.domain, ...kind, ...place, created_at: now });
    }
    announce(tx, hostnameTopic, row.domain);
    if (row.state !== 'verified') await auditDomain(tx, source, organizationId, row, 'verified', { proof });
    return save(tx, row, {
      state: 'verified',
      found: { ...found, problem: null },
      verified_at: row.verified_at ?? now,
      failing_since: null,
      next_check_at: now + verifiedEvery,
      now,
    });
  }

  if (found.failed) {
    const problem = 'No name server of the domain responded in time. The check will be repeated.';
    return save(tx, row, { found: { ...found, problem }, next_check_at: now + minute, now });
  }

  const problem = problemOf(row, target, { found, isHeld: isHeld && proof === 'cname' });
  if (row.state === 'verified') {
    const failingSince = row.failing_since ?? now;
    if (now - failingSince < failingFor)
      return save(tx, row, {
        found: { ...found, problem },
        failing_since: failingSince,
        next_check_at: now + hour,
        now,
      });
    await removeHostname(tx, row.domain, applicationId);
    announce(tx, hostnameTopic, row.domain);
  }
  const age = now - row.created_at;
  const isOver = row.state !== 'pending' || age >= pendingFor;
  if (isOver && row.state !== 'failed') await auditDomain(tx, source, organizationId, row, 'failed');
  return save(tx, row, {
    state: isOver ? 'failed' : 'pending',
    found: { ...found, problem },
    verified_at: isOver ? null : row.verified_at,
    failing_since: null,
    next_check_at: now + (isOver ? verifiedEvery : age < eagerFor ? minute : hour),
    now,
  });
}

/** The application that had the domain loses it: somebody else has proven to own it now. */
async function takeOver(tx: Tx, source: AuditSource, applicationId: string, row: DomainRow): Promise<void> {
  const loser = await findByName(tx, applicationId, row.domain);
  const application = await findApplication(tx, applicationId);
  if (!loser || !application) return;
  const checked = JSON.parse(loser.found) as Checked;
  const problem = 'The domain was verified by another application.';
  await update(tx, loser.id, {
    state: 'failed',
    verified_at: null,
    failing_since: null,
    found: JSON.stringify({ ...checked, problem }),
  });
  await auditDomain(
    tx,
    { ...source, actorType: 'system', actorId: null },
    application.organization_id,
    loser,
    'lost',
  );
}

function problemOf(
  row: DomainRow,
  target: string,
  { found, isHeld }: { found: Found; isHeld: boolean },
): string {
  const domain = toOwnDomain(row.domain);
  if (isHeld) {
    return `Another application uses this domain. To verify that you own it, set the TXT record at ${domain.proofName}.`;
  }
  if (domain.isWildcard || domain.isApex) {
    return found.txt.length === 0
      ? `There is no TXT record at ${domain.proofName}.`
      : `The TXT record at ${domain.proofName} has a different value.`;
  }
  const [first] = found.cname;
  return first === undefined
    ? `There is no CNAME record at ${domain.name}, and no TXT record at ${domain.proofName} that verifies it.`
    : `The CNAME record at ${domain.name} points to ${first} instead of ${target}.`;
}

async function save(
  tx: Tx,
  row: DomainRow,
  changes: Partial<Pick<DomainRow, 'state' | 'verified_at' | 'failing_since'>> & {
    found: Checked;
    next_check_at: number;
    now: number;
  },
): Promise<DomainRow> {
  const { found, now, ...rest } = changes;
  const updated_at = rest.state !== undefined && rest.state !== row.state ? now : row.updated_at;
  const written = { ...rest, found: JSON.stringify(found), checked_at: now, updated_at };
  await update(tx, row.id, written);
  return { ...row, ...written };
}

function auditDomain(
  tx: Tx,
  source: AuditSource,
  organizationId: string,
  row: DomainRow,
  what: ActionOf<'domain'>,
  details: Record<string, unknown> = {},
): Promise<void> {
  return audit(tx, source, {
    organizationId,
    action: `domain.${what}`,
    targetType: 'domain',
    targetId: row.id,
    details: { applicationId: row.application_id, domain: row.domain, ...details },
  });
}
