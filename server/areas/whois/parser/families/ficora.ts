import { partyOf } from '../draft.ts';
import { type Family, valuesOf } from './family.ts';

/** The Finnish registry until 2016: the holder in `descr`, the contact and the parts of its address in `address`. */
export const ficora: Family = {
  tlds: ['fi'],
  speaks: (raw) => raw.includes('\ndescr:'),
  correct(draft, lines) {
    const [organization] = valuesOf(lines, 'descr');
    const [name, street, postalCode, city] = valuesOf(lines, 'address');
    const registrant = partyOf(draft, 'registrant');
    draft.description = [];
    registrant.address = street ? [street] : [];
    for (const [field, value] of Object.entries({ organization, name, postalCode, city })) {
      if (value && value !== '-') registrant.fields[field as 'name'] = value;
    }
  },
};
