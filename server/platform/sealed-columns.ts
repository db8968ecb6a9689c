import { sealedTwoFactors } from '#accounts/idp/service.ts';
import { sealedSigningKeys } from '#accounts/tokens/service.ts';
import { sealedEnvVars } from '#areas/env-vars/service.ts';
import type { SealedColumn } from '#core/vault.ts';
import { answerContext } from '#http/idempotency.ts';

/** Everything that the vault has encrypted, for encrypting it again when its keys rotate. */
export const sealedColumns: readonly SealedColumn[] = [
  sealedSigningKeys,
  ...sealedEnvVars,
  ...sealedTwoFactors,
  {
    table: 'idempotency_keys',
    column: 'answer',
    key: ['owner', 'key'],
    context: ({ owner = '', key = '' }) => answerContext(owner, key),
  },
];
