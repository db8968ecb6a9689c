import { type Family, renamed } from './family.ts';

/** Norid: an object under a NORID handle each, named in the domain's. */
export const norid: Family = {
  tlds: ['no'],
  prepare: (lines) =>
    renamed(lines, {
      'domain holder handle': 'holder-c',
      'legal-c handle': 'zone-c',
      'tech-c handle': 'tech-c',
    }),
};
