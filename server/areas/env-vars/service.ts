import { type ActionOf, type AuditSource, audit } from '#accounts/audit-log/service.ts';
import type { Clock } from '#core/clock.ts';
import { counted } from '#core/counted.ts';
import type { Db, Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import { announce } from '#core/notifications.ts';
import { Problem } from '#core/problem.ts';
import {
  type EnvVarRow,
  find,
  findByKey,
  findVersion,
  insert,
  insertVersion,
  type Place,
  remove,
  update,
  usage,
} from './store.ts';
import type { Values } from './values.ts';

declare module '#core/notifications.ts' {
  interface Topics {
    /** Key: organization id, or for variables of an application and its environments the application's. */
    env_vars: true;
  }
}

/** Notification of a change to the variables of an organization, or of an application and its environments; its id is the key. */
export const envVarsTopic = 'env_vars';

export interface Deps {
  db: Db;
  values: Values;
  clock: Clock;
  /** Variables of one organization, or of one application, and bytes of all their values. */
  limit: number;
  maxBytes: number;
  /** Versions kept of each. */
  keepVersions: number;
}

const maxKeyCharacters = 255;
const maxValueBytes = 64 * 1024;

/** Throws what is wrong with a key: it has to survive the environment of a process and a dotenv file. */
export function checkKey(key: string): void {
  const length = [...key].length;
  const wrong =
    (length === 0 && 'must not be empty') ||
    (length > maxKeyCharacters && `must be at most ${maxKeyCharacters} characters long`) ||
    (key.includes('=') && 'must hold no "="') ||
    ((/\p{Cc}/u.test(key) || !key.isWellFormed()) && 'must hold no control characters') ||
    (key !== key.trim() && 'must have no blanks around it');
  if (wrong) throw new Problem('invalid_request', `The field "key" ${wrong}.`);
}

export function checkValue(value: string): void {
  const wrong =
    (!value.isWellFormed() && 'must be valid Unicode') ||
    (value.includes('\0') && 'must hold no NUL character') ||
    (Buffer.byteLength(value) > maxValueBytes && `must be at most ${maxValueBytes} bytes long`);
  if (wrong) throw new Problem('invalid_request', `The field "value" ${wrong}.`);
}

export interface NewVariable {
  key: string;
  value: string;
  sensitive: boolean;
}

export async function createVariable(
  tx: Tx,
  deps: Deps,
  source: AuditSource,
  place: Place,
  { key, value, sensitive }: NewVariable,
): Promise<EnvVarRow> {
  if (await findByKey(tx, place, key)) throw keyTaken(place, key);
  await demandRoom(tx, deps, place, { variables: 1, bytes: Buffer.byteLength(value) });
  const now = deps.clock.now();
  const id = newId(now);
  const row: EnvVarRow = {
    id,
    organization_id: place.organizationId,
    application_id: place.applicationId,
    environment_id: place.environmentId,
    key,
    value: deps.values.seal(id, value),
    sensitive: sensitive ? 1 : 0,
    version: 1,
    created_at: now,
    updated_at: now,
  };
  await insert(tx, row);
  await remember(tx, deps, source, row, value);
  await auditChange(tx, source, row, 'created', { sensitive });
  return row;
}

export interface VariableChanges {
  key?: string | undefined;
  value?: string | undefined;
  sensitive?: boolean | undefined;
}

/** Changes what is given. A stored secret is never revealed: `sensitive` turns off only together with a new value. */
export async function changeVariable(
  tx: Tx,
  deps: Deps,
  source: AuditSource,
  row: EnvVarRow,
  changes: VariableChanges,
): Promise<EnvVarRow> {
  const before = deps.values.open(row);
  const { key = row.key, value = before, sensitive = row.sensitive === 1 } = changes;
  if (row.sensitive === 1 && !sensitive && changes.value === undefined) {
    const sentence =
      'Turning "sensitive" off needs a new "value" in the same request: a stored secret is never revealed.';
    throw new Problem('invalid_request', sentence);
  }
  const place = placeOf(row);
  if (key !== row.key && (await findByKey(tx, place, key))) throw keyTaken(place, key);
  const changed = [
    ...(key === row.key ? [] : ['key']),
    ...(value === before ? [] : ['value']),
    ...(sensitive === (row.sensitive === 1) ? [] : ['sensitive']),
  ];
  if (changed.length === 0) return row;
  const bytes = Buffer.byteLength(value) - Buffer.byteLength(before);
  if (bytes > 0) await demandRoom(tx, deps, place, { variables: 0, bytes });
  const after: EnvVarRow = {
    ...row,
    key,
    value: deps.values.seal(row.id, value),
    sensitive: sensitive ? 1 : 0,
    version: row.version + 1,
    updated_at: deps.clock.now(),
  };
  await update(tx, after);
  await remember(tx, deps, source, after, value);
  await auditChange(tx, source, after, 'updated', {
    changed,
    ...(key === row.key ? {} : { formerKey: row.key }),
  });
  return after;
}

export async function deleteVariable(tx: Tx, source: AuditSource, row: EnvVarRow): Promise<void> {
  await remove(tx, row.id);
  await auditChange(tx, source, row, 'deleted');
}

/** Makes an earlier version the current one, as a new version. What is sensitive now stays so. */
export async function restoreVersion(
  tx: Tx,
  deps: Deps,
  source: AuditSource,
  row: EnvVarRow,
  version: number,
): Promise<EnvVarRow> {
  const earlier = await findVersion(tx, row.id, version);
  if (!earlier)
    throw new Problem('not_found', `The variable has no version ${version}, or it is no longer retained.`);
  const sensitive = row.sensitive === 1 || earlier.sensitive === 1;
  const value = deps.values.openVersion(earlier);
  return changeVariable(tx, deps, source, row, { key: earlier.key, value, sensitive });
}

/** The variable with this id in the organization, or in the application. */
export async function variableOf(
  db: Db | Tx,
  owner: Pick<Place, 'organizationId' | 'applicationId'>,
  id: string,
): Promise<EnvVarRow> {
  const row = await find(db, owner, id);
  if (!row) throw noVariable(owner);
  return row;
}

export function noVariable(owner: Pick<Place, 'applicationId'>): Problem {
  return new Problem('not_found', `The ${nameOf(owner)} has no variable with this id.`);
}

/** The organization's own variables. */
export function ofOrganization(organizationId: string): Place {
  return { organizationId, applicationId: '', environmentId: '' };
}

function placeOf(row: EnvVarRow): Place {
  return {
    organizationId: row.organization_id,
    applicationId: row.application_id,
    environmentId: row.environment_id,
  };
}

function nameOf({ applicationId }: Pick<Place, 'applicationId'>): string {
  return applicationId === '' ? 'organization' : 'application';
}

async function demandRoom(
  tx: Tx,
  { limit, maxBytes }: Deps,
  place: Place,
  more: { variables: number; bytes: number },
): Promise<void> {
  const { variables, bytes } = await usage(tx, place);
  if (variables + more.variables > limit) {
    throw new Problem(
      'forbidden',
      `The ${nameOf(place)} has ${counted(variables, 'variable')}, and ${limit} is the limit. Delete some first.`,
    );
  }
  if (bytes + more.bytes > maxBytes) {
    throw new Problem(
      'forbidden',
      `The values of the ${nameOf(place)} would be larger than ${maxBytes} bytes together.`,
    );
  }
}

function keyTaken(place: Place, key: string): Problem {
  const where = place.environmentId === '' ? nameOf(place) : 'environment';
  return new Problem(
    'conflict',
    `The ${where} has a variable "${key}" already; change that one, or take another key.`,
  );
}

function remember(tx: Tx, deps: Deps, source: AuditSource, row: EnvVarRow, value: string): Promise<void> {
  const version = {
    env_var_id: row.id,
    version: row.version,
    key: row.key,
    value: deps.values.sealVersion(row.id, row.version, value),
    sensitive: row.sensitive,
    actor_type: source.actorType,
    actor_id: source.actorId,
    created_at: row.updated_at,
  };
  return insertVersion(tx, version, deps.keepVersions);
}

function auditChange(
  tx: Tx,
  source: AuditSource,
  row: EnvVarRow,
  what: ActionOf<'env_var'>,
  details = {},
): Promise<void> {
  announce(tx, envVarsTopic, row.application_id || row.organization_id);
  return audit(tx, source, {
    organizationId: row.organization_id,
    action: `env_var.${what}`,
    targetType: 'env_var',
    targetId: row.id,
    // The key, never the value: what is no secret today may be marked as one tomorrow.
    details: {
      key: row.key,
      version: row.version,
      ...(row.application_id === '' ? {} : { applicationId: row.application_id }),
      ...(row.environment_id === '' ? {} : { environmentId: row.environment_id }),
      ...details,
    },
  });
}
