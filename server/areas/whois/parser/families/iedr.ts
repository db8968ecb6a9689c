import type { Family } from './family.ts';

/** IEDR: `descr` is the holder, then the holder's class and category, which are no address. */
export const iedr: Family = {
  tlds: ['ie'],
  correct(draft) {
    draft.description = draft.description.slice(0, 1);
  },
};
