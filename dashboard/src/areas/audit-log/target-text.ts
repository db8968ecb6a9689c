import type { AuditRecord } from '@mainstay/sdk';
import { nameOfTarget, shortId } from '#areas/audit-log/sentence.ts';

/** What it was done to: its name, where the record keeps one. */
export function targetText({ target, details }: AuditRecord): string {
  return [target.type.replaceAll('_', ' '), nameOfTarget(details) ?? shortId(target.id)]
    .filter(Boolean)
    .join(' ');
}
