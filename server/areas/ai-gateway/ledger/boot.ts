import { readFileSync } from 'node:fs';

let known: string | null | undefined;

/** Names this start of the machine, on systems that say so. */
export function bootId(): string | null {
  if (known === undefined) {
    try {
      known = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    } catch {
      known = null;
    }
  }
  return known;
}
