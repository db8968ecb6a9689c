import { type Family, renamed } from './family.ts';

/** JANET (ac.uk and gov.uk): the body a name is registered for, and one person with the address. */
export const janet: Family = {
  tlds: ['uk'],
  speaks: (raw) => raw.includes('Registered For:'),
  prepare: (lines) =>
    renamed(lines, {
      'registered for': 'Registrant',
      'domain owner': 'Reseller',
      'registrant contact': 'Admin Contact',
    }).filter((line) => line.label !== 'Registrant Address'),
};
