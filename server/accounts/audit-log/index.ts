import type { Area, OpenedArea, Parts } from '#http/area.ts';
import { auditLogRoutes } from './routes.ts';

export const area = { tables: ['audit_log'] } satisfies Area;

export function open({ db }: Parts<'db'>): OpenedArea {
  return { routes: [auditLogRoutes({ db })] };
}
