import { type Line, relabelled } from '../lines.ts';
import type { Family } from './family.ts';

/** DNS-LU: "org-name" and its like are the holder's; in other registries `org` is a field. */
export const dnsLu: Family = {
  tlds: ['lu'],
  prepare: (lines) => lines.map(holder),
};

function holder(line: Line): Line {
  return line.label?.startsWith('org-')
    ? relabelled(line, `registrant-${line.label.slice('org-'.length)}`)
    : line;
}
