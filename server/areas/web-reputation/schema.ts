import { Type } from 'typebox';
import { CursorQuery } from '#http/paging.ts';
import { Body, Id, ListOf, Nullable, OneOf, Time } from '#http/schema.ts';
import { formats } from './feeds/declaration.ts';
import { techniques } from './squat/imitation.ts';
import { statuses } from './statuses.ts';

const Status = OneOf(statuses, {
  description: 'Reputation of the domain; `neutral` if it is in no threat feed and imitates no brand.',
});
const Withheld = Type.Boolean({
  description: 'Whether to block it: true for all statuses except neutral and relay_email.',
});

const mostNames = 5;

const ActingOrganization = Type.Optional(
  Type.String({
    format: 'uuid',
    description: 'The organization whose overrides apply. Default: that of the token. Users have to set it.',
  }),
);

export const DomainsQuery = Type.Object({
  organizationId: ActingOrganization,
  domain: Type.Array(Type.String({ maxLength: 1024 }), {
    minItems: 1,
    maxItems: mostNames,
    description: `1 to ${mostNames} domains, in Unicode or punycode; repeat the parameter.`,
  }),
});

export const EmailsQuery = Type.Object({
  organizationId: ActingOrganization,
  email: Type.Array(Type.String({ maxLength: 1024 }), {
    minItems: 1,
    maxItems: mostNames,
    description: `1 to ${mostNames} addresses; repeat the parameter.`,
  }),
});

export const DomainReputation = Type.Object(
  {
    domain: Type.String({ description: 'Lowercase, in punycode.' }),
    status: Status,
    withholdingRecommended: Withheld,
    isMxRecordAvailable: Type.Boolean({
      description: 'Whether it has an MX record other than the null one (RFC 7505).',
    }),
  },
  { title: 'DomainReputation' },
);

const Validator = Type.Object({ valid: Type.Boolean() });

export const EmailReputation = Type.Object(
  {
    email: Type.String({ description: 'As it was sent.' }),
    role: Type.Boolean({ description: 'Whether it is a role address, such as support@.' }),
    domain: Type.Object({
      domain: Type.String(),
      status: Status,
      withholdingRecommended: Withheld,
      mxRecordAvailable: Type.Boolean(),
    }),
    validations: Type.Object({
      valid: Type.Boolean({ description: 'Whether all three validators accept it.' }),
      validators: Type.Object({
        regex: Validator,
        typo: Validator,
        mx: Type.Object({
          valid: Type.Boolean({
            description: 'Has an MX record, or an address record if there is no MX record (RFC 5321, 5.1).',
          }),
        }),
      }),
    }),
  },
  { title: 'EmailReputation' },
);

export const EmailSuggestion = Type.Object(
  {
    email: Type.String({ description: 'As it was sent.' }),
    suggestion: Nullable(
      Type.String({ description: 'The suggested address; null if no typo was detected.' }),
    ),
  },
  { title: 'EmailSuggestion' },
);

export const DomainExplanation = Type.Object(
  {
    domain: Type.String(),
    status: Status,
    withholdingRecommended: Withheld,
    source: OneOf(['override', 'feed', 'squat', 'none'], { description: 'What decided the status.' }),
    override: Nullable(
      Type.Object({
        id: Id,
        domain: Type.String({ description: 'The domain, or the parent domain that has the override.' }),
        action: OneOf(['block', 'allow']),
        by: OneOf(['organization', 'operator']),
        note: Nullable(Type.String()),
      }),
    ),
    listed: Nullable(
      Type.Object({
        name: Type.String({ description: 'The domain, or the parent domain that is listed.' }),
        feeds: Type.Array(
          Type.Object({
            feed: Type.String(),
            status: Status,
            since: Type.String({ format: 'date', description: 'Day when it was first seen in the feed.' }),
          }),
        ),
      }),
    ),
    imitates: Nullable(Type.Object({ domain: Type.String(), technique: OneOf(techniques) })),
  },
  { title: 'DomainExplanation' },
);

const ReputationFeed = Type.Object(
  {
    id: Type.String(),
    status: Status,
    format: OneOf(formats),
    source: Type.Object({
      type: OneOf(['package', 'file', 'url'], {
        description: 'Packages and files are bundled with the server.',
      }),
      name: Type.String({ description: 'The package, the name of the file, or the URL.' }),
    }),
    licence: Type.String(),
    homepage: Nullable(Type.String()),
    refreshSeconds: Nullable(
      Type.Integer({ description: 'Seconds between fetches; null for bundled feeds.' }),
    ),
    names: Type.Integer({ description: 'Number of names in use.' }),
    refused: Type.Object(
      {
        malformed: Type.Integer(),
        suffix: Type.Integer({ description: 'Entries rejected because they are public suffixes.' }),
        private: Type.Integer({ description: 'Entries rejected because they are private names.' }),
        genuine: Type.Integer({ description: 'Entries rejected because they belong to well-known brands.' }),
      },
      { description: 'Entries of the feed that were rejected.' },
    ),
    checkedAt: Nullable(Time),
    fetchedAt: Nullable(Time),
    changedAt: Nullable(Time),
    error: Nullable(
      Type.String({ description: 'Why the last fetch failed; the previous data stays in use.' }),
    ),
  },
  { title: 'ReputationFeed' },
);
export const ReputationFeedList = ListOf(ReputationFeed);

export const ReputationOverride = Type.Object(
  {
    id: Id,
    domain: Type.String({ description: 'The override applies to this domain and its subdomains.' }),
    action: OneOf(['block', 'allow']),
    status: Status,
    note: Nullable(Type.String()),
    createdAt: Time,
    updatedAt: Time,
  },
  { title: 'ReputationOverride' },
);
export const ReputationOverrideList = ListOf(ReputationOverride);

const Note = Nullable(Type.String({ maxLength: 1000, description: 'Note that explains the override.' }));
const Action = OneOf(['block', 'allow']);
const OverrideStatus = OneOf(statuses, {
  description:
    'Status to return: for a block, one that is not recommended (default spam); for an allow, neutral or relay_email.',
});

export const CreateOverride = Body({
  domain: Type.String({ minLength: 1, maxLength: 1024 }),
  action: Action,
  status: Type.Optional(OverrideStatus),
  note: Type.Optional(Note),
});
export const ChangeOverride = Type.Object(
  { action: Type.Optional(Action), status: Type.Optional(OverrideStatus), note: Type.Optional(Note) },
  { additionalProperties: false, minProperties: 1 },
);
export const ListOverridesQuery = CursorQuery;
export const OverridePath = Type.Object({ organizationId: Id, overrideId: Id });
export const AdminOverridePath = Type.Object({ overrideId: Id });
