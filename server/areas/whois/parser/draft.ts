import type { Party, PartyField } from './vocabulary.ts';

type PartyFields = Partial<Record<PartyField, string>>;

/** A party as the reader collects it: nothing is decided yet. */
export interface PartyDraft {
  fields: PartyFields;
  /** Lines of labelled address, in order. */
  address: string[];
  /** The address stands below its label, in lines as people write them. */
  isAddressBlock: boolean;
  /** Lines without labels: name, organization, address, telephone, whatever comes. */
  block: string[];
  /** What stood beside the party's own label: a name, or the handle of an object elsewhere in the answer. */
  named: string | null;
  /** Addresses given for reports of abuse. */
  abuse: PartyFields;
}

/** An answer as the reader collects it. */
export interface Draft {
  name: string | null;
  id: string | null;
  created: string | null;
  updated: string | null;
  expires: string | null;
  dnssec: string | null;
  status: string[];
  registration: string[];
  nameservers: string[];
  description: string[];
  parties: Partial<Record<Party, PartyDraft>>;
  /** Parties described once and referred to by handle (RPSL, FRED). */
  objects: Map<string, PartyDraft>;
}

export function newParty(): PartyDraft {
  return { fields: {}, address: [], isAddressBlock: false, block: [], named: null, abuse: {} };
}

export function newDraft(): Draft {
  return {
    ...{ name: null, id: null, created: null, updated: null, expires: null, dnssec: null },
    ...{ status: [], registration: [], nameservers: [], description: [] },
    parties: {},
    objects: new Map(),
  };
}

function isSaid(fields: PartyFields): boolean {
  for (const _field in fields) return true;
  return false;
}

export function isEmptyParty(party: PartyDraft): boolean {
  return !isSaid(party.fields) && party.address.length === 0 && party.block.length === 0;
}

export function partyOf(draft: Draft, party: Party): PartyDraft {
  const known = draft.parties[party];
  if (known) return known;
  const made = newParty();
  draft.parties[party] = made;
  return made;
}
