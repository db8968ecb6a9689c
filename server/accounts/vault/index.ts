import type { SealedColumn } from '#core/vault.ts';
import type { Area, OpenedArea, Parts } from '#http/area.ts';
import { reseal } from './service.ts';

export const area = { tables: ['vault_keys'] } satisfies Area;

export function open(
  { db, clock, vault }: Parts<'db' | 'clock' | 'vault'>,
  { sealedColumns }: { sealedColumns: readonly SealedColumn[] },
): OpenedArea {
  const work = () => reseal({ db, clock, vault, columns: sealedColumns });
  return { tasks: [{ everySeconds: 3600, name: 'finish an interrupted rotation', work }] };
}
