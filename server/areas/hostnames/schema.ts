import { Type } from 'typebox';
import { CursorQuery } from '#http/paging.ts';
import { Body, Id, ListOf, Nullable, OneOf, Time } from '#http/schema.ts';

export const ApplicationPath = Type.Object({ applicationId: Id });
export const DomainPath = Type.Object({ applicationId: Id, domainId: Id });

export const Hostname = Type.Object(
  {
    id: Id,
    hostname: Type.String({ description: 'Includes the port if it is not the default one of the scheme.' }),
    type: OneOf(['DEPLOYMENT', 'BRANCH', 'APP']),
    active: Type.Boolean({ description: 'Whether it serves a deployment.' }),
    deploymentId: Nullable(Id),
    branchId: Nullable(Id),
    source: OneOf(['system', 'user'], { description: '`user`: a custom domain.' }),
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
  description:
    'Lowercase letters, digits and inner hyphens. Uppercase letters are lowercased and spaces become hyphens.',
});
export const AvailabilityQuery = Type.Object({ label: Label });
export const Availability = Type.Object(
  {
    available: Type.Boolean(),
    reason: Type.Optional(Type.String({ description: 'Why the label is not available.' })),
  },
  { title: 'LabelAvailability' },
);
export const SetHostname = Body({ label: Label });
export const ApplicationHostname = Type.Object(
  {
    label: Type.String(),
    hostname: Type.String(),
    live: Type.Boolean({ description: 'Whether it serves a production deployment.' }),
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
      description: '`unknown`: not checked yet, no name server responded, or the lookup was inconclusive.',
    }),
    found: Type.Array(Type.String(), { description: 'The value that was found instead.' }),
  },
  { title: 'DnsRecord' },
);
export const Domain = Type.Object(
  {
    id: Id,
    applicationId: Id,
    domain: Type.String(),
    state: OneOf(['pending', 'verified', 'failed']),
    records: Type.Array(DnsRecord, { description: 'DNS records to create for the domain.' }),
    problem: Nullable(Type.String({ description: 'Description of what is missing.' })),
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
