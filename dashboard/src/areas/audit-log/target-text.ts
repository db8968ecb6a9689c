import type { AuditRecord } from '@mainstay/sdk';

/** What it was done to: its name, where the record keeps one. */
export function targetText({ target, details }: AuditRecord): string {
  const name = [details['name'], details['key'], details['domain'], details['email']].find(
    (one) => typeof one === 'string',
  );
  return [target.type.replaceAll('_', ' '), name ?? target.id?.slice(0, 8)].filter(Boolean).join(' ');
}
