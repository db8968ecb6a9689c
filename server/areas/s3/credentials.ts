import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeyOrigin, MadeKeys } from '#accounts/api-keys/service.ts';
import { type ActionOf, type AuditSource, audit } from '#accounts/audit-log/service.ts';
import { AddressBlocks } from '#core/addresses.ts';
import { Cached } from '#core/cached.ts';
import { type Clock, isoTime } from '#core/clock.ts';
import type { Db, Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import type { Maybe } from '#core/maybe.ts';
import { displayName } from '#core/names.ts';
import { announce } from '#core/notifications.ts';
import { Problem } from '#core/problem.ts';
import type { Scope } from '#core/scopes.ts';
import type { SealedColumn, Vault } from '#core/vault.ts';
import {
  type CredentialRow,
  countCredentials,
  credentialsMadeBy,
  findByAccessKey,
  insertCredential,
  removeCredential,
  removeCredentialsOf,
} from './store.ts';

declare module '#core/notifications.ts' {
  interface Topics {
    /** Key: the access key id. */
    s3_credential: true;
  }
}

const topic = 's3_credential';
const secretContext = (id: string) => `s3_credentials.secret:${id}`;

export const sealedCredentials: readonly SealedColumn[] = [
  { table: 's3_credentials', column: 'secret', key: ['id'], context: ({ id = '' }) => secretContext(id) },
];

export type Access = CredentialRow['access'];

/** What a credential lets its holder do, as scopes of the API. */
export function scopesOf(access: Access): readonly Scope[] {
  if (access === 'read') return ['network:storage:read'];
  return ['network:storage:read', 'network:storage:write', 'network:storage:delete'];
}

/** A credential as requests meet it. */
export interface Credential {
  id: string;
  accessKeyId: string;
  secret: string;
  applicationId: string;
  environmentId: string;
  access: Access;
  bucketId: string | null;
  prefix: string | null;
  expiresAt: number | null;
  /** Null: anywhere. */
  addresses: AddressBlocks | null;
}

/** Credentials by access key id, from memory; one that is revoked is gone from every node within a second. */
export class Credentials {
  readonly #known: Cached<Credential | null>;
  readonly #clock: Clock;

  constructor({ db, vault, clock, max }: { db: Db; vault: Vault; clock: Clock; max: number }) {
    this.#clock = clock;
    this.#known = new Cached<Credential | null>({
      notifications: db.notifications,
      max,
      topics: [topic] as const,
      sweepingTopics: ['application'] as const,
      async load(accessKeyId) {
        const row = await findByAccessKey(db, accessKeyId);
        return row ? toCredential(row, vault) : null;
      },
    });
  }

  /** Null: there is none, or its time is over. */
  async find(accessKeyId: string): Promise<Credential | null> {
    if (!isAccessKeyId(accessKeyId)) return null;
    const found: Maybe<Credential | null> = this.#known.get(accessKeyId);
    const credential = found instanceof Promise ? await found : found;
    if (!credential) return null;
    const { expiresAt } = credential;
    return expiresAt !== null && expiresAt <= this.#clock.now() ? null : credential;
  }
}

function toCredential(row: CredentialRow, vault: Vault): Credential {
  const addresses = JSON.parse(row.allowed_addresses) as string[];
  return {
    id: row.id,
    accessKeyId: row.access_key_id,
    secret: vault.decryptText(secretContext(row.id), row.secret),
    applicationId: row.application_id,
    environmentId: row.environment_id,
    access: row.access,
    bucketId: row.bucket_id,
    prefix: row.prefix,
    expiresAt: row.expires_at,
    addresses: addresses.length > 0 ? new AddressBlocks(addresses) : null,
  };
}

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function digits(value: bigint, alphabet: string, length: number): string {
  const base = BigInt(alphabet.length);
  let text = '';
  for (let rest = value; text.length < length; rest /= base) text = alphabet[Number(rest % base)] + text;
  return text;
}

const random = (bytes: number) => BigInt(`0x${randomBytes(bytes).toString('hex')}`);

/** 20 characters, as clients expect: they name the credential, and are no secret. */
function newAccessKeyId(): string {
  return `MSTK${digits(random(10), base32, 16)}`;
}

function isAccessKeyId(text: string): boolean {
  return /^MSTK[A-Z2-7]{16}$/.test(text);
}

/** `mss3` for those who look for leaked ones, 256 random bits, a checksum. Nothing in it that an INI file would mind. */
function newSecret(): string {
  const body = digits(random(32), base62, 43);
  return `mss3${body}${digits(BigInt(crc32(body)), base62, 6)}`;
}

export interface NewCredential {
  organizationId: string;
  applicationId: string;
  environmentId: string;
  name: string;
  access: Access;
  bucketId: string | null;
  prefix: string | null;
  expiresAt: number | null;
  allowedAddresses: readonly string[];
  /** As `Powers.demand` returns it. */
  origin: KeyOrigin;
}

export interface CredentialDeps {
  db: Db;
  vault: Vault;
  clock: Clock;
  /** Of an application. */
  limit: number;
}

/** Makes a credential. Its secret is shown once. */
export async function createCredential(
  tx: Tx,
  { vault, clock, limit }: CredentialDeps,
  source: AuditSource,
  wanted: NewCredential,
): Promise<{ row: CredentialRow; secret: string }> {
  const { applicationId, access, origin, expiresAt } = wanted;
  if ((await countCredentials(tx, { applicationId, environmentId: null })) >= limit) {
    const sentence = `The application has ${limit} S3 credentials, which is the limit. Revoke one first.`;
    throw new Problem('forbidden', sentence);
  }
  const now = clock.now();
  const id = newId(now);
  const secret = newSecret();
  const row: CredentialRow = {
    id,
    application_id: applicationId,
    environment_id: wanted.environmentId,
    name: displayName(wanted.name, 'name'),
    access_key_id: newAccessKeyId(),
    secret: vault.encrypt(secretContext(id), secret),
    access,
    bucket_id: wanted.bucketId,
    prefix: wanted.prefix,
    allowed_addresses: JSON.stringify(wanted.allowedAddresses),
    created_by_user_id: origin.userId,
    created_by_key_id: origin.keyId,
    created_by_client_id: origin.clientId,
    created_by_grant_id: origin.grantId,
    expires_at: expiresAt,
    last_used_at: null,
    created_at: now,
  };
  await insertCredential(tx, row);
  announce(tx, topic, row.access_key_id);
  await auditCredential(tx, source, wanted.organizationId, row, 'created', {
    ...{ environmentId: row.environment_id, access, bucketId: row.bucket_id, prefix: row.prefix },
    expiresAt: expiresAt === null ? null : isoTime(expiresAt),
  });
  return { row, secret };
}

export async function revokeCredential(
  tx: Tx,
  source: AuditSource,
  organizationId: string,
  row: CredentialRow,
): Promise<void> {
  await removeCredential(tx, row.id);
  announce(tx, topic, row.access_key_id);
  await auditCredential(tx, source, organizationId, row, 'revoked');
}

/** With its environment. */
export async function dropCredentials(tx: Tx, environmentId: string): Promise<void> {
  for (const accessKeyId of await removeCredentialsOf(tx, environmentId)) announce(tx, topic, accessKeyId);
}

/** They are shown and end with the API keys of who or what made them. */
export function credentialsAsMadeKeys(db: Db): Parameters<MadeKeys['use']>[0] {
  return {
    async list(maker) {
      return (await credentialsMadeBy(db, maker)).map((row) => ({
        id: row.id,
        kind: 's3_credential',
        name: row.name,
        organization: { id: row.organization_id, name: row.organization_name },
        application: { id: row.application_id, name: row.application_name },
        scopes: [...scopesOf(row.access)],
        expiresAt: row.expires_at === null ? null : isoTime(row.expires_at),
        lastUsedAt: row.last_used_at === null ? null : isoTime(row.last_used_at),
        createdAt: isoTime(row.created_at),
      }));
    },
    async end(tx, { source }, maker) {
      for (const row of await credentialsMadeBy(tx, maker))
        await revokeCredential(tx, source, row.organization_id, row);
    },
  };
}

function auditCredential(
  tx: Tx,
  source: AuditSource,
  organizationId: string,
  row: CredentialRow,
  what: ActionOf<'s3_credential'>,
  details: Record<string, unknown> = {},
): Promise<void> {
  return audit(tx, source, {
    organizationId,
    action: `s3_credential.${what}`,
    targetType: 's3_credential',
    targetId: row.id,
    details: {
      name: row.name,
      accessKeyId: row.access_key_id,
      applicationId: row.application_id,
      ...details,
    },
  });
}
