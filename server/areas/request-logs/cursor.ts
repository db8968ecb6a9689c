import { hash } from 'node:crypto';
import type { LogPosition } from '#core/log-store.ts';
import { Problem } from '#core/problem.ts';

type Total = { count: number; capped: boolean };

/** Opaque: what it is made of may change. That of one owner, an application say, means nothing to another. */
export function writeCursor(owner: string, { at, id }: LogPosition, { count, capped }: Total): string {
  const parts = [fingerprint(owner), at, id, count, Number(capped)];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

export function readCursor(cursor: string, owner: string): { position: LogPosition; total: Total } {
  try {
    const [of, at, id, count, capped] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const isOurs =
      of === fingerprint(owner) &&
      Number.isSafeInteger(at) &&
      typeof id === 'string' &&
      id.length <= 36 &&
      Number.isSafeInteger(count);
    if (isOurs) return { position: { at, id }, total: { count, capped: capped === 1 } };
  } catch {
    // Not JSON: no cursor of ours.
  }
  throw new Problem('invalid_request', 'The query parameter "cursor" is not valid for this list.');
}

function fingerprint(owner: string): string {
  return hash('sha256', owner, 'base64url').slice(0, 12);
}
