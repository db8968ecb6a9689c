import { Type } from 'typebox';
import { CursorQuery } from '#http/paging.ts';
import { Body, Id, ListOf, Nullable, OneOf, Time } from '#http/schema.ts';
import { formats } from './feeds/declaration.ts';
import { techniques } from './squat/imitation.ts';
import { statuses } from './statuses.ts';

const Status = OneOf(statuses, {
  description: 'What the domain is known for; `neutral` when it stands on no list and imitates nobody.',
});
const Withheld = Type.Boolean({
  description: 'Whether to keep away from it: true for all but neutral and relay_email.',
});

const mostNames = 5;

const ActingOrganization = Type.Optional(
  Type.String({
    format: 'uuid',
    description:
      'The organization whose overrides hold; that of the token when left out. For users, who have none.',
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
    domain: Type.String({ description: 'Lower-case, in punycode.' }),
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
    role: Type.Boolean({ description: 'Whether it names a function, such as support@, and no person.' }),
    domain: Type.Object({
      domain: Type.String(),
      status: Status,
      withholdingRecommended: Withheld,
      mxRecordAvailable: Type.Boolean(),
    }),
    validations: Type.Object({
      valid: Type.Boolean({ description: 'Whether all three validators say so.' }),
      validators: Type.Object({
        regex: Validator,
        typo: Validator,
        mx: Type.Object({
          valid: Type.Boolean({
            description: 'An MX record, or none but an address record (RFC 5321, 5.1).',
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
      Type.String({ description: 'The address that was meant; null when nothing looks mistyped.' }),
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
        domain: Type.String({ description: 'The domain itself or the parent that the override is of.' }),
        action: OneOf(['block', 'allow']),
        by: OneOf(['organization', 'operator']),
        note: Nullable(Type.String()),
      }),
    ),
    listed: Nullable(
      Type.Object({
        name: Type.String({ description: 'The domain itself or the parent that the lists have.' }),
        feeds: Type.Array(
          Type.Object({
            feed: Type.String(),
            status: Status,
            since: Type.String({ format: 'date', description: 'The day when it was first seen there.' }),
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
      type: OneOf(['package', 'file', 'url'], { description: 'Packages and files come with the program.' }),
      name: Type.String({ description: 'The package, the name of the file, or the URL.' }),
    }),
    licence: Type.String(),
    homepage: Nullable(Type.String()),
    refreshSeconds: Nullable(
      Type.Integer({ description: 'How often it is fetched; null for one that is local.' }),
    ),
    names: Type.Integer({ description: 'How many are in use.' }),
    refused: Type.Object(
      {
        malformed: Type.Integer(),
        suffix: Type.Integer({ description: 'Whole public suffixes.' }),
        private: Type.Integer({ description: 'Names of private networks.' }),
        genuine: Type.Integer({ description: 'Names of well-known owners.' }),
      },
      { description: 'Entries of the list that were not taken.' },
    ),
    checkedAt: Nullable(Time),
    fetchedAt: Nullable(Time),
    changedAt: Nullable(Time),
    error: Nullable(
      Type.String({ description: 'Why the last try failed; what was there before stays in use.' }),
    ),
  },
  { title: 'ReputationFeed' },
);
export const ReputationFeedList = ListOf(ReputationFeed);

export const ReputationOverride = Type.Object(
  {
    id: Id,
    domain: Type.String({ description: 'It holds for this domain and everything below it.' }),
    action: OneOf(['block', 'allow']),
    status: Status,
    note: Nullable(Type.String()),
    createdAt: Time,
    updatedAt: Time,
  },
  { title: 'ReputationOverride' },
);
export const ReputationOverrideList = ListOf(ReputationOverride);

const Note = Nullable(Type.String({ maxLength: 1000, description: 'For people: why.' }));
const Action = OneOf(['block', 'allow']);
const OverrideStatus = OneOf(statuses, {
  description:
    'What to answer: for a block one that is withheld (spam when absent), else neutral or relay_email.',
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
