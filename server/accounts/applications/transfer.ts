import type { AuditSource } from '#accounts/audit-log/service.ts';
import type { Db, Tx } from '#core/db.ts';
import { announce } from '#core/notifications.ts';
import { freeSlug } from '#core/slug.ts';
import { auditChange } from './service.ts';
import { type ApplicationRow, isSlugTaken, moveKeys, update } from './store.ts';

/** Told in the transaction in which an application changes its organization. */
export type Transferred = (
  tx: Tx,
  application: { id: string; from: string; to: string; actorId: string | null },
) => Promise<void>;

/**
 * Moves the application, with all that belongs to it, to another organization. Its slug changes where the other one has
 * it already. Tokens of its keys stop working; new ones name the new organization.
 */
export async function transferApplication(
  tx: Tx,
  { told }: { db: Db; told: readonly Transferred[] },
  source: AuditSource,
  row: ApplicationRow,
  { to, now }: { to: string; now: number },
): Promise<ApplicationRow> {
  const from = row.organization_id;
  if (from === to) return row;
  const slug = await freeSlug(row.slug, (one) => isSlugTaken(tx, to, one));
  const changes = { organization_id: to, slug, updated_at: now };
  await update(tx, row.id, changes);
  await moveKeys(tx, row.id, to);
  for (const tell of told) await tell(tx, { id: row.id, from, to, actorId: source.actorId });
  announce(tx, 'application', row.id);
  const after = { ...row, ...changes };
  const details = { name: row.name, from, to, slug };
  // In the log of either organization.
  await auditChange(tx, source, row, 'transferred', details);
  await auditChange(tx, source, after, 'received', details);
  return after;
}
