import { partyOf } from '../draft.ts';
import { type Family, valuesOf } from './family.ts';

/** Registro.br: the holder in `owner`, a company when its number is a CNPJ; `owner-c` is the person in charge. */
export const registroBr: Family = {
  tlds: ['br'],
  correct(draft, lines) {
    const [owner] = valuesOf(lines, 'owner');
    const [number = ''] = valuesOf(lines, 'ownerid');
    const registrant = partyOf(draft, 'registrant');
    const contact = draft.objects.get(valuesOf(lines, 'owner-c')[0] ?? '');
    if (!owner) return;
    registrant.named = null;
    registrant.fields.name = owner;
    if (number.includes('/')) registrant.fields.organization = owner;
    const email = contact?.fields.email;
    if (email) registrant.fields.email = email;
  },
};
