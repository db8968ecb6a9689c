import { type Family, renamed } from './family.ts';

/** NIC.LV: the section [Whois] is about the server. */
export const nicLv: Family = { tlds: ['lv'], prepare: (lines) => renamed(lines, { whois: 'Reseller' }) };
