import { type Family, renamed, valuesOf } from './family.ts';

/** JPRS: names with an organization type show the end of their term beside their state, "Connected (2018/03/31)". */
export const jprs: Family = {
  tlds: ['jp'],
  prepare: (lines) =>
    renamed(lines, { organization: 'Registrant Organization', 'contact information': 'Admin Contact' }),
  correct(draft, lines) {
    const [state] = valuesOf(lines, 'state');
    const open = state?.indexOf('(') ?? -1;
    if (state && open > 0) draft.expires ??= state.slice(open + 1, -1);
  },
};
