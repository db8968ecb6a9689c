import type { Family } from './family.ts';

/** EDUCAUSE: the holder is an institution; the lines after its name are departments and the address. */
export const educause: Family = { tlds: ['edu'], registrantBlock: 'organization alone' };
