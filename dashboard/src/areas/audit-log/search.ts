/** The filters of an audit log, as they stand in the address and go to the API. */
export interface AuditSearch {
  actorId?: string;
  action?: string;
  targetType?: string;
  targetId?: string;
  /** ISO 8601. */
  from?: string;
  to?: string;
}

const names = ['actorId', 'action', 'targetType', 'targetId', 'from', 'to'] as const;

export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  return Object.fromEntries(
    names
      .map((name) => [name, search[name]])
      .filter(([, value]) => typeof value === 'string' && value !== ''),
  );
}

/** Of a field for date and time, which knows the time of the person's own clock only. */
export function toMoment(local: string): string | undefined {
  const date = new Date(local);
  return local === '' || Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

export function toLocal(moment: string | undefined): string {
  const date = new Date(moment ?? '');
  if (Number.isNaN(date.getTime())) return '';
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
