import { type Family, renamed } from './family.ts';

const holder = [
  'org',
  'person',
  'country',
  'city',
  'address',
  'phone',
  'fax',
  'email',
  'registration or other identification number',
];

/** The Belarusian registry: the holder's lines carry no prefix and follow the registrar's name. */
export const cctldBy: Family = {
  tlds: ['by'],
  prepare: (lines) =>
    renamed(lines, Object.fromEntries(holder.map((label) => [label, `Registrant ${label}`]))),
};
