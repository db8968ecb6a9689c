import type { Family } from './family.ts';

/** DK Hostmaster: "DNS:" repeats the domain as it stands in the DNS; name servers are under "Hostname:". */
export const dkHostmaster: Family = {
  tlds: ['dk'],
  prepare: (lines) => lines.filter((line) => line.label !== 'DNS'),
};
