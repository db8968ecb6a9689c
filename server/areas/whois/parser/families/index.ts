import { afnic } from './afnic.ts';
import { cctldBy } from './cctld-by.ts';
import { dkHostmaster } from './dk-hostmaster.ts';
import { dnsLu } from './dns-lu.ts';
import { educause } from './educause.ts';
import type { Family } from './family.ts';
import { ficora } from './ficora.ts';
import { freenom } from './freenom.ts';
import { iedr } from './iedr.ts';
import { isocIl } from './isoc-il.ts';
import { janet } from './janet.ts';
import { jprs } from './jprs.ts';
import { nicLv } from './nic-lv.ts';
import { norid } from './norid.ts';
import { registroBr } from './registro-br.ts';
import { rwhois } from './rwhois.ts';
import { tonic } from './tonic.ts';

const families = [
  ...[
    afnic,
    cctldBy,
    dkHostmaster,
    dnsLu,
    educause,
    ficora,
    freenom,
    iedr,
    isocIl,
    janet,
    jprs,
    nicLv,
    norid,
  ],
  ...[registroBr, tonic],
];
const byTld = new Map(families.flatMap((family) => (family.tlds ?? []).map((tld) => [tld, family] as const)));
const byText = [rwhois];

const plain: Family = {};

/** The rules for an answer about this domain; most registries need none. */
export function familyOf(raw: string, domain: string): Family {
  const family = byTld.get(domain.slice(domain.lastIndexOf('.') + 1).toLowerCase());
  if (family && (family.speaks?.(raw) ?? true)) return family;
  return byText.find((candidate) => candidate.speaks?.(raw)) ?? plain;
}
