import { relabelled } from '../lines.ts';
import type { Family } from './family.ts';

/** Freenom (Dot TK): American dates, the status in the line of the name, "Organisation:" as the holder's header. */
export const freenom: Family = {
  tlds: ['tk', 'cf', 'ga', 'gq', 'ml'],
  dateOrder: 'month-day',
  registrantBlock: 'organization',
  prepare: (lines) =>
    lines.map((line) =>
      line.label === 'Organisation' && line.value === '' ? relabelled(line, 'Registrant') : line,
    ),
  correct(draft) {
    // "GOOGLE.TK is Active"
    const words = draft.name?.split(' ') ?? [];
    const status = words.at(-1);
    if (words.length > 1 && status && draft.status.length === 0) draft.status.push(status);
  },
};
