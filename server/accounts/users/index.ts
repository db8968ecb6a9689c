import type { Maybe } from '#core/maybe.ts';
import type { Area, OpenedArea, Parts } from '#http/area.ts';
import { operators } from './service.ts';

export const area = { tables: ['users', 'accounts'] } satisfies Area;

export function open({ db, cacheEntries }: Parts<'db' | 'cacheEntries'>): OpenedArea & {
  /** Whether the user is an operator of the instance now. */
  isOperator(userId: string): Maybe<boolean>;
} {
  const known = operators({ db, max: cacheEntries });
  return { isOperator: (userId) => known.get(userId) };
}
