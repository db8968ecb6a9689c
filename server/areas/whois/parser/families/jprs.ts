import { relabelled } from '../lines.ts';
import { type Family, renamed, valuesOf } from './family.ts';

/** JPRS: names with an organization type show the end of their term beside their state, "Connected (2018/03/31)". */
export const jprs: Family = {
  tlds: ['jp'],
  prepare: (lines) =>
    renamed(lines, { organization: 'Registrant Organization' }).map((line) =>
      // With or without its Japanese name behind it.
      line.label === 'Contact Information' ? relabelled(line, 'Admin Contact', '') : line,
    ),
  correct(draft, lines) {
    const [state] = valuesOf(lines, 'state');
    const open = state?.indexOf('(') ?? -1;
    if (state && open > 0) draft.expires ??= state.slice(open + 1, -1);
  },
};
