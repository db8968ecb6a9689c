import type { WhoisRecord } from '../record.ts';

/** What a WHOIS answer amounts to. `throttled` and `refused` say nothing about the domain. */
export type Outcome = 'registered' | 'free' | 'reserved' | 'throttled' | 'refused' | 'unknown';

const freePhrases = [
  ...['no match', 'not found', 'no entries found', 'no data found', 'no object found', 'nothing found'],
  ...['not registered', 'no such domain', 'does not exist', 'is free', 'is available', 'no records matching'],
  ...[
    'available for registration',
    'available for purchase',
    'no information available about',
    'unregistered',
  ],
  ...['not find matching', 'could not be found', 'no matching record', 'no domain records', 'domain unknown'],
  ...['object does not exist', 'has not been registered', 'no information was found', 'not have entry'],
  ...['no found', 'nenalezen', 'not been found', 'invalid query or domain name not known', 'no se encontro'],
  ...[
    'no existe',
    'domain not known',
    'no record found',
    'no matches',
    'we do not have an entry',
    'object_not_found',
  ],
  ...['no entries', 'el dominio no se encuentra registrado', 'is not in the', 'not exist in database'],
];

const reservedPhrases = [
  ...['is reserved', 'reserved name', 'reserved by', 'has been reserved', 'restricted from registration'],
  ...['not available for registration', 'cannot be registered', 'can not be registered', 'prohibited string'],
  ...[
    'is not available or is reserved',
    'registry reserved',
    'not permitted to be registered',
    'has been blocked',
  ],
  ...['is blocked', 'this name is not available', 'is prohibited', 'reserved domain', 'name is restricted'],
  'domain is restricted',
];

const throttlePhrases = [
  ...[
    'limit exceeded',
    'quota exceeded',
    'exceeded the',
    'exceeded your',
    'exceeded allowed',
    'exceeded maximum',
  ],
  ...[
    'too many',
    'rate limit',
    'try again later',
    'try again in',
    'excessive quer',
    'number of allowed queries',
  ],
  ...[
    'query limit',
    'queries exceeded',
    'server is busy',
    'server too busy',
    'please slow down',
    'connection limit',
  ],
  ...[
    'maximum daily',
    'temporarily unable',
    'temporarily unavailable',
    'wait and try',
    'has been exceeded',
    'lookup quota',
  ],
  'limit reached',
];

const refusalPhrases = [
  ...[
    'not permitted',
    'access denied',
    'not authorised',
    'not authorized',
    'tld is not supported',
    'blacklisted',
  ],
  ...[
    "server can't process",
    'unauthorized',
    'ip addresses  authorised',
    'has been banned',
    'invalid request',
  ],
  ...['only be enabled', 'service is no longer', 'whois service has been discontinued', 'please use rdap'],
  'has been retired',
];

const freeStatuses = new Set([
  'free',
  'available',
  'notregistered',
  'noobjectfound',
  'unassigned',
  'notfound',
  '220available',
]);
const reservedStatuses = new Set(['reserved', 'blocked', 'restricted', 'prohibited', 'notopen']);

/** Sentences of this kind stand near the beginning; the terms of use below them use the same words. */
const MAX_READ = 4_000;

/** Tells what an answer amounts to from its record and, where that is empty, from its sentences. */
export function outcomeOf(raw: string, record: WhoisRecord): Outcome {
  const { status, created, expires } = record.domain;
  const words = status.map((text) => text.toLowerCase().replace(/[^a-z0-9]/g, ''));
  if (words.some((word) => freeStatuses.has(word))) return 'free';
  const says = (phrases: readonly string[]) => phrases.some((phrase) => text.includes(phrase));
  const text = raw.slice(0, MAX_READ).toLowerCase();
  const evidence = created !== null || expires !== null || record.nameservers.length > 0;
  if (!evidence && says(freePhrases)) return 'free';
  if (!evidence && (words.some((word) => reservedStatuses.has(word)) || says(reservedPhrases)))
    return 'reserved';
  if (evidence || record.registrar.name !== null || words.length > 0 || hasContact(record))
    return 'registered';
  if (says(throttlePhrases)) return 'throttled';
  return says(refusalPhrases) ? 'refused' : 'unknown';
}

function hasContact({ registrant, admin, tech }: WhoisRecord): boolean {
  return [registrant, admin, tech].some((contact) => contact.name !== null || contact.organization !== null);
}
