import type { Area, OpenedArea, Parts } from '#http/area.ts';
import { organizationIdOf } from './service.ts';

export const area = { tables: ['applications', 'environments'] } satisfies Area;

export function open({ db }: Parts<'db'>): OpenedArea & {
  /** The organization that owns the application, as the database has it; null when there is none. */
  organizationIdOf(applicationId: string): Promise<string | null>;
} {
  return { organizationIdOf: (applicationId) => organizationIdOf(db, applicationId) };
}
