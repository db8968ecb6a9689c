import { Type } from 'typebox';
import { Nullable, OneOf } from '#http/schema.ts';

const Text = Nullable(Type.String());
const Moment = Nullable(Type.String({ format: 'date-time', description: 'ISO 8601, UTC, milliseconds.' }));

const WhoisContact = Type.Object(
  {
    name: Text,
    organization: Text,
    street: Text,
    city: Text,
    state: Text,
    postalCode: Text,
    country: Nullable(Type.String({ description: 'Two letters (ISO 3166-1).' })),
    phone: Text,
    phoneExt: Text,
    fax: Text,
    faxExt: Text,
    email: Text,
  },
  { title: 'WhoisContact' },
);

export const WhoisRecordSchema = Type.Object(
  {
    domain: Type.Object({
      name: Text,
      id: Text,
      status: Type.Array(Type.String(), { description: 'Statuses as returned by the registry.' }),
      created: Moment,
      updated: Moment,
      expires: Moment,
    }),
    registrar: Type.Object({
      name: Text,
      url: Text,
      whoisServer: Text,
      email: Text,
      phone: Text,
      ianaId: Text,
    }),
    registrant: WhoisContact,
    admin: WhoisContact,
    tech: WhoisContact,
    billing: WhoisContact,
    nameservers: Type.Array(Type.String()),
    dnssec: Text,
  },
  { title: 'WhoisRecord' },
);

export const DomainQuery = Type.Object({
  domain: Type.String({
    description: 'A domain name in Unicode or punycode. A subdomain yields the record of its root domain.',
  }),
  raw: Type.Optional(Type.Boolean({ description: 'The WHOIS text instead of the record.' })),
});

export const maxNames = 20;

export const AvailabilityQuery = Type.Object({
  domain: Type.Union([Type.Array(Type.String()), Type.String()], {
    description: `Repeat the parameter for more names, ${maxNames} at most.`,
  }),
});

export const AvailabilitySchema = Type.Object(
  {
    domain: Type.String({ description: 'The root domain, in ASCII form.' }),
    status: OneOf(['registered', 'free', 'reserved', 'unknown'], {
      description: '`unknown`: the registry did not respond, or there is none.',
    }),
    source: Nullable(OneOf(['cache', 'dns', 'rdap', 'whois'], { description: 'Source of the answer.' })),
  },
  { title: 'DomainAvailability' },
);
