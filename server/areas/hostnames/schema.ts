import { Type } from 'typebox';
import { CursorQuery } from '#http/paging.ts';
import { Body, Id, ListOf, Nullable, OneOf, Time } from '#http/schema.ts';

export const ApplicationPath = Type.Object({ applicationId: Id });
export const DomainPath = Type.Object({ applicationId: Id, domainId: Id });

export const Hostname = Type.Object(
  {
    id: Id,
    hostname: Type.String({ description: "With the port where it is not the scheme's own." }),
    type: OneOf(['DEPLOYMENT', 'BRANCH', 'APP']),
    active: Type.Boolean({ description: 'Whether a deployment answers there.' }),
    deploymentId: Nullable(Id),
    branchId: Nullable(Id),
    source: OneOf(['system', 'user'], { description: '`user`: a domain of your own.' }),
    createdAt: Time,
  },
  { title: 'Hostname' },
);
const listed = ListOf(Hostname);
export const HostnameList = Type.Object({
  ...listed.properties,
  label: Nullable(Type.String({ description: "Of the application's own hostname." })),
});
export const HostnameQuery = CursorQuery;

const Label = Type.String({
  maxLength: 253,
  description: 'Small letters, digits and inner hyphens. Capitals and blanks are mended.',
});
export const AvailabilityQuery = Type.Object({ label: Label });
export const Availability = Type.Object(
  {
    available: Type.Boolean(),
    reason: Type.Optional(Type.String({ description: 'Why it is not.' })),
  },
  { title: 'LabelAvailability' },
);
export const SetHostname = Body({ label: Label });
export const ApplicationHostname = Type.Object(
  {
    label: Type.String(),
    hostname: Type.String(),
    live: Type.Boolean({ description: 'Whether a production deployment answers there.' }),
  },
  { title: 'ApplicationHostname' },
);

const DnsRecord = Type.Object(
  {
    type: OneOf(['TXT', 'CNAME', 'ALIAS']),
    name: Type.String(),
    value: Type.String(),
    purpose: OneOf(['proof', 'traffic', 'proof_and_traffic']),
    status: OneOf(['set', 'missing', 'different', 'unknown'], {
      description:
        '`unknown`: not looked up yet, no name server answered, or it cannot be told by a look-up.',
    }),
    found: Type.Array(Type.String(), { description: 'What stands there instead.' }),
  },
  { title: 'DnsRecord' },
);
export const Domain = Type.Object(
  {
    id: Id,
    applicationId: Id,
    domain: Type.String(),
    state: OneOf(['pending', 'verified', 'failed']),
    records: Type.Array(DnsRecord, { description: 'What to set in the DNS of the domain.' }),
    problem: Nullable(Type.String({ description: 'What is missing, in a sentence.' })),
    checkedAt: Nullable(Time),
    verifiedAt: Nullable(Time),
    createdAt: Time,
    updatedAt: Time,
  },
  { title: 'Domain' },
);
export const DomainList = ListOf(Domain);
export const ListDomainsQuery = CursorQuery;
export const OrganizationDomainsQuery = Type.Object({
  ...CursorQuery.properties,
  state: Type.Optional(OneOf(['pending', 'verified', 'failed'])),
});
export const AddDomain = Body({
  domain: Type.String({
    minLength: 1,
    maxLength: 1024,
    description: 'Such as `example.com`, `www.example.com` or `*.example.com`.',
  }),
});
