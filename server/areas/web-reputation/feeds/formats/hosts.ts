import { isIP } from 'node:net';
import type { LineParser } from './format.ts';

/** hosts(5): an address, then the names that it stands for. */
export const hosts: LineParser = (line, found) => {
  const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
  if (isIP(address) === 0) return;
  for (const name of names) if (name.includes('.') && isIP(name) === 0) found.name(name);
};
