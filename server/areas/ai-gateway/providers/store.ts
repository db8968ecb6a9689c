import type { Db, Tx } from '#core/db.ts';
import type { ProviderType } from './schema.ts';

interface ProviderTable {
  id: string;
  /** Empty: of the instance. */
  organization_id: string;
  slug: string;
  type: ProviderType;
  name: string;
  base_url: string | null;
  zdr: number;
  priority: number;
  enabled: number;
  allow_private: number;
  /** JSON array; null: whatever it has. */
  models: string | null;
  created_at: number;
  updated_at: number;
}

interface CredentialTable {
  id: string;
  provider_id: string;
  name: string;
  /** Sealed. */
  api_key: Uint8Array;
  hint: string;
  weight: number;
  enabled: number;
}

declare module '#core/db.ts' {
  interface Tables {
    ai_providers: ProviderTable;
    ai_credentials: CredentialTable;
  }
}

export type ProviderRow = ProviderTable;
export type CredentialRow = CredentialTable;

export function listProviders(db: Db | Tx, organizationId: string): Promise<ProviderRow[]> {
  return db
    .selectFrom('ai_providers')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .execute();
}

export function findProvider(
  db: Db | Tx,
  organizationId: string,
  id: string,
): Promise<ProviderRow | undefined> {
  return db
    .selectFrom('ai_providers')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function isSlugTaken(tx: Tx, organizationId: string, slug: string): Promise<boolean> {
  const query = tx
    .selectFrom('ai_providers')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('slug', '=', slug);
  return (await query.executeTakeFirst()) !== undefined;
}

export async function insertProvider(tx: Tx, row: ProviderRow): Promise<void> {
  await tx.insertInto('ai_providers').values(row).execute();
}

export async function updateProvider(tx: Tx, { id, ...row }: ProviderRow): Promise<void> {
  await tx.updateTable('ai_providers').set(row).where('id', '=', id).execute();
}

/** With its credentials, by reference. */
export async function deleteProvider(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('ai_providers').where('id', '=', id).execute();
}

export function credentialsOf(db: Db | Tx, providerIds: readonly string[]): Promise<CredentialRow[]> {
  if (providerIds.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('ai_credentials')
    .selectAll()
    .where('provider_id', 'in', providerIds)
    .orderBy('id')
    .execute();
}

export async function replaceCredentials(
  tx: Tx,
  providerId: string,
  rows: readonly CredentialRow[],
): Promise<void> {
  await tx.deleteFrom('ai_credentials').where('provider_id', '=', providerId).execute();
  if (rows.length > 0) await tx.insertInto('ai_credentials').values(rows).execute();
}
