import { type Family, renamed, valuesOf } from './family.ts';

/** ISOC-IL: dates in the history of changes, such as "registrar AT ns.il 19960111 (Assigned)". */
export const isocIl: Family = {
  tlds: ['il'],
  prepare: (lines) => renamed(lines, { 'registrar info': 'Registrar URL' }),
  correct(draft, lines) {
    const ofDomain = lines.slice(0, endOfDomain(lines));
    const history = valuesOf(ofDomain, 'changed');
    const dateOf = (entry: string | undefined) =>
      entry?.split(' ').find((word) => /^\d{8}$/.test(word)) ?? null;
    draft.created ??= dateOf(history.find((entry) => entry.endsWith('(Assigned)')));
    draft.updated = dateOf(history.at(-1));
  },
};

function endOfDomain(lines: Parameters<typeof valuesOf>[0]): number {
  const next = lines.findIndex((line) => line.label === 'person' || line.label === 'role');
  return next < 0 ? lines.length : next;
}
