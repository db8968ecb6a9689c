import { createHash } from 'node:crypto';
import path from 'node:path';

/** What a transfer is given beside its source and its target. */
export interface Watch {
  signal: AbortSignal;
  /** So many more bytes have arrived. */
  onBytes(count: number): void;
  /** Where transfers are noted that were broken off. */
  state: string;
  /** Of one file. */
  partsAtOnce: number;
}

/** Where a transfer of these is noted, so that the next process finds it. */
export function watchFile({ state }: Watch, kind: 'uploads' | 'downloads', of: readonly unknown[]): string {
  const name = createHash('sha256').update(JSON.stringify(of)).digest('hex');
  return path.join(state, kind, `${name}.json`);
}
