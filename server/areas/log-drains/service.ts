import type { Static } from 'typebox';
import { type ActionOf, type AuditSource, audit } from '#accounts/audit-log/service.ts';
import type { ListDeps } from '#areas/request-logs/service.ts';
import type { Clock } from '#core/clock.ts';
import type { Db, Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import type { Outgoing } from '#core/outgoing.ts';
import { Problem } from '#core/problem.ts';
import type { SealedColumn, Vault } from '#core/vault.ts';
import type { ChangeLogDrain, CreateLogDrain } from './schema.ts';
import { count, type DrainRow, find, insert, remove, update } from './store.ts';

export interface Deps extends ListDeps {
  db: Db;
  vault: Vault;
  clock: Clock;
  outgoing: Outgoing;
  /** Of an application. */
  limit: number;
  backlogMilliseconds: number;
}

const urlContext = (id: string) => `log_drains.url:${id}`;
const headersContext = (id: string) => `log_drains.headers:${id}`;

export const sealedDrains: readonly SealedColumn[] = [
  { table: 'log_drains', column: 'url', key: ['id'], context: ({ id = '' }) => urlContext(id) },
  { table: 'log_drains', column: 'headers', key: ['id'], context: ({ id = '' }) => headersContext(id) },
];

interface Target {
  url: string;
  headers: Record<string, string>;
}

export function targetOf(vault: Vault, row: DrainRow): Target {
  const headers = JSON.parse(vault.decryptText(headersContext(row.id), row.headers)) as [string, string][];
  return { url: vault.decryptText(urlContext(row.id), row.url), headers: Object.fromEntries(headers) };
}

const maxNameCharacters = 128;
const maxHeaders = 20;

function checkName(name: string): string {
  const trimmed = name.trim();
  const length = [...trimmed].length;
  if (length === 0 || length > maxNameCharacters || /\p{Cc}/u.test(trimmed))
    throw new Problem('invalid_request', `The field "name" must have 1 to ${maxNameCharacters} characters.`);
  return trimmed;
}

function checkUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new Problem(
      'invalid_request',
      'The field "url" must be an address that starts with http:// or https://.',
    );
  if (url.username || url.password || url.hash)
    throw new Problem(
      'invalid_request',
      'The field "url" must have no user and no fragment: send a header instead.',
    );
  return url.href;
}

/** Ours, and those that say how the message is framed. */
const reserved =
  /^(host|content-length|content-type|transfer-encoding|connection|keep-alive|upgrade|expect|te|trailer)$/i;

function checkHeaders(headers: Readonly<Record<string, string>>): [string, string][] {
  const entries = Object.entries(headers);
  if (entries.length > maxHeaders)
    throw new Problem('invalid_request', `The field "headers" must have at most ${maxHeaders} of them.`);
  for (const [name, value] of entries) {
    const isWrong =
      !/^[!#$%&'*+.^_`|~\w-]+$/.test(name) || !/^[\t\x20-\x7e]*$/.test(value) || reserved.test(name);
    if (isWrong) throw new Problem('invalid_request', `The header "${name}" cannot be sent with a delivery.`);
  }
  return entries;
}

export async function createDrain(
  tx: Tx,
  deps: Deps,
  source: AuditSource,
  owner: { organizationId: string; applicationId: string },
  body: Static<typeof CreateLogDrain>,
): Promise<DrainRow> {
  const { vault, clock, limit, logs } = deps;
  if ((await count(tx, owner.applicationId)) >= limit)
    throw new Problem(
      'forbidden',
      `The application has ${limit} log drains, which is the limit. Delete one first.`,
    );
  const now = clock.now();
  const id = newId(now);
  const row: DrainRow = {
    id,
    application_id: owner.applicationId,
    name: checkName(body.name),
    type: body.type,
    url: vault.encrypt(urlContext(id), checkUrl(body.url)),
    headers: vault.encrypt(headersContext(id), JSON.stringify(checkHeaders(body.headers ?? {}))),
    enabled: body.enabled === false ? 0 : 1,
    // From now on; what was answered before is to be had by an export.
    position_stored: Date.now() - logs.settleMilliseconds,
    position_id: '',
    due_at: now,
    failures: 0,
    last_error: null,
    delivered_at: null,
    created_at: now,
    updated_at: now,
  };
  await insert(tx, row);
  await auditDrain(tx, source, owner.organizationId, row, 'created', { type: row.type });
  return row;
}

export async function changeDrain(
  tx: Tx,
  deps: Deps,
  source: AuditSource,
  organizationId: string,
  row: DrainRow,
  body: Static<typeof ChangeLogDrain>,
): Promise<DrainRow> {
  const { vault, clock, logs } = deps;
  const isTurnedOn = body.enabled === true && row.enabled === 0;
  const changes: Partial<DrainRow> = {
    ...(body.name === undefined ? {} : { name: checkName(body.name) }),
    ...(body.url === undefined ? {} : { url: vault.encrypt(urlContext(row.id), checkUrl(body.url)) }),
    ...(body.headers === undefined
      ? {}
      : { headers: vault.encrypt(headersContext(row.id), JSON.stringify(checkHeaders(body.headers))) }),
    ...(body.enabled === undefined ? {} : { enabled: Number(body.enabled) }),
    // While it was off nothing was meant for it.
    ...(isTurnedOn ? { position_stored: Date.now() - logs.settleMilliseconds, position_id: '' } : {}),
    // It may work now.
    ...{ failures: 0, last_error: null, due_at: clock.now(), updated_at: clock.now() },
  };
  await update(tx, row.id, changes);
  await auditDrain(tx, source, organizationId, row, 'updated', { changed: Object.keys(body) });
  return { ...row, ...changes };
}

export async function deleteDrain(
  tx: Tx,
  source: AuditSource,
  organizationId: string,
  row: DrainRow,
): Promise<void> {
  await remove(tx, row.id);
  await auditDrain(tx, source, organizationId, row, 'deleted');
}

export async function drainOf(db: Db | Tx, applicationId: string, id: string): Promise<DrainRow> {
  const row = await find(db, applicationId, id);
  if (!row) throw new Problem('not_found', 'The application has no log drain with this id.');
  return row;
}

function auditDrain(
  tx: Tx,
  source: AuditSource,
  organizationId: string,
  row: DrainRow,
  what: ActionOf<'log_drain'>,
  details = {},
) {
  return audit(tx, source, {
    organizationId,
    action: `log_drain.${what}`,
    targetType: 'log_drain',
    targetId: row.id,
    details: { name: row.name, applicationId: row.application_id, ...details },
  });
}
