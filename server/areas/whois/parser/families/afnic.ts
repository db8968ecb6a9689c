import type { Family } from './family.ts';

/** AFNIC (fr and the overseas domains) says of each contact whether it is an ORGANIZATION, a PERSON or a ROLE. */
export const afnic: Family = {
  tlds: ['fr', 're', 'pm', 'tf', 'wf', 'yt'],
  correct(draft) {
    for (const { fields } of draft.objects.values()) {
      if (fields.name && fields.kind === 'ORGANIZATION') fields.organization = fields.name;
    }
  },
};
