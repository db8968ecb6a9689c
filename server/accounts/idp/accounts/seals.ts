import type { SealedColumn, Vault } from '#core/vault.ts';
import type { Row } from './consequences.ts';

/** Second factors are read back, so they are sealed: the secret of the authenticator app, and the recovery codes. */
const columns = ['secret', 'recovery_codes'] as const;

function contextOf(column: string, id: string): string {
  return `two_factors.${column}:${id}`;
}

export function sealRow(vault: Vault, id: string, row: Row): Row {
  const sealed = { ...row };
  for (const column of columns) {
    if (column in row) sealed[column] = vault.encrypt(contextOf(column, id), String(row[column]));
  }
  return sealed;
}

export function unsealRow(vault: Vault, row: Row): Row {
  const open = { ...row };
  for (const column of columns)
    open[column] = vault.decryptText(contextOf(column, String(row['id'])), row[column] as Uint8Array);
  return open;
}

export const sealedTwoFactors: readonly SealedColumn[] = columns.map((column) => ({
  table: 'two_factors',
  column,
  key: ['id'],
  context: ({ id = '' }) => contextOf(column, id),
}));
