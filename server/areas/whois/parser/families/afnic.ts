import { type Family, valuesOf } from './family.ts';

/** AFNIC (fr and the overseas domains) says of each contact whether it is an ORGANIZATION, a PERSON or a ROLE. */
export const afnic: Family = {
  tlds: ['fr', 're', 'pm', 'tf', 'wf', 'yt'],
  correct(draft, lines) {
    for (const party of draft.objects.values()) {
      const name = party.fields.name;
      if (name && party.fields.kind === 'ORGANIZATION') party.fields.organization = name;
    }
    // A handle that is described twice is anonymous once: the first description counts, as for every object.
    draft.dnssec ??= valuesOf(lines, 'ds').length > 0 ? 'signed' : null;
  },
};
