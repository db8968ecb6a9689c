import type { KeyMaker } from '#accounts/api-keys/service.ts';
import { countRows, type Db, type Tx } from '#core/db.ts';
import type { Page } from '#http/paging.ts';

interface S3CredentialTable {
  id: string;
  application_id: string;
  environment_id: string;
  name: string;
  access_key_id: string;
  /** Sealed: signatures are checked with the secret itself. */
  secret: Uint8Array;
  access: 'read' | 'readwrite';
  /** Null: every bucket of the environment. */
  bucket_id: string | null;
  /** Null: every key. */
  prefix: string | null;
  /** JSON: addresses and blocks that it works from; empty: anywhere. */
  allowed_addresses: string;
  created_by_user_id: string | null;
  created_by_key_id: string | null;
  created_by_client_id: string | null;
  created_by_grant_id: string | null;
  expires_at: number | null;
  last_used_at: number | null;
  created_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    s3_credentials: S3CredentialTable;
  }
}

export type CredentialRow = S3CredentialTable;

/** `environmentId`: null for those of every environment. */
interface CredentialFilter {
  applicationId: string;
  environmentId: string | null;
}

function credentials(db: Db | Tx, { applicationId, environmentId }: CredentialFilter) {
  return db
    .selectFrom('s3_credentials')
    .where('application_id', '=', applicationId)
    .$if(environmentId !== null, (q) => q.where('environment_id', '=', environmentId as string));
}

export function listCredentials(db: Db, filter: CredentialFilter, page: Page): Promise<CredentialRow[]> {
  return credentials(db, filter)
    .selectAll()
    .$if(page.after !== undefined, (q) => q.where('id', '>', page.after as string))
    .$if(page.limit !== undefined, (q) => q.limit(page.limit as number))
    .orderBy('id')
    .execute();
}

export function countCredentials(db: Db | Tx, filter: CredentialFilter): Promise<number> {
  return countRows(credentials(db, filter));
}

export function findCredential(
  db: Db | Tx,
  applicationId: string,
  id: string,
): Promise<CredentialRow | undefined> {
  return db
    .selectFrom('s3_credentials')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export function findByAccessKey(db: Db, accessKeyId: string): Promise<CredentialRow | undefined> {
  return db
    .selectFrom('s3_credentials')
    .selectAll()
    .where('access_key_id', '=', accessKeyId)
    .executeTakeFirst();
}

export async function insertCredential(tx: Tx, row: CredentialRow): Promise<void> {
  await tx.insertInto('s3_credentials').values(row).execute();
}

export async function removeCredential(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('s3_credentials').where('id', '=', id).execute();
}

export async function removeCredentialsOf(tx: Tx, environmentId: string): Promise<string[]> {
  const rows = await tx
    .deleteFrom('s3_credentials')
    .where('environment_id', '=', environmentId)
    .returning('access_key_id')
    .execute();
  return rows.map((row) => row.access_key_id);
}

/** With the names of where they belong. */
export function credentialsMadeBy(db: Db | Tx, maker: KeyMaker) {
  const query = db
    .selectFrom('s3_credentials as c')
    .innerJoin('applications as a', 'a.id', 'c.application_id')
    .innerJoin('organizations as o', 'o.id', 'a.organization_id')
    .selectAll('c')
    .select(['a.name as application_name', 'a.organization_id', 'o.name as organization_name'])
    .orderBy('c.id');
  if ('grantId' in maker) return query.where('c.created_by_grant_id', '=', maker.grantId).execute();
  const byUser = query.where('c.created_by_user_id', '=', maker.userId);
  const { organizationId } = maker;
  return organizationId === undefined
    ? byUser.execute()
    : byUser.where('a.organization_id', '=', organizationId).execute();
}
