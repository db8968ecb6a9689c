import { Type } from 'typebox';
import { Organization } from '#accounts/organizations/service.ts';
import { CursorQuery } from '#http/paging.ts';
import { Body, DisplayName, Id, ListOf, Nullable, Slug, Time } from '#http/schema.ts';

const RootDirectory = Nullable(
  Type.String({ description: 'The folder that holds the application, such as `apps/web`. null: the root.' }),
);

export const Application = Type.Object(
  {
    id: Id,
    organizationId: Id,
    name: Type.String(),
    slug: Type.String(),
    imageUrl: Type.String({ format: 'uri' }),
    rootDirectory: RootDirectory,
    defaultEnvironmentSlug: Type.String(),
    createdAt: Time,
    updatedAt: Time,
  },
  { title: 'Application' },
);

export const ApplicationSummary = Type.Object(
  {
    id: Id,
    organization: Organization,
    name: Type.String(),
    imageUrl: Type.String({ format: 'uri' }),
    createdAt: Time,
    updatedAt: Time,
    deletedAt: Type.Optional(Time),
    purgedAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When the deleted resource can no longer be restored.',
      }),
    ),
  },
  { title: 'ApplicationSummary' },
);
export const ApplicationList = ListOf(ApplicationSummary);

export const ListApplicationsQuery = Type.Interface([CursorQuery], {
  organizationId: Type.Optional(Id),
  query: Type.Optional(
    Type.String({ maxLength: 128, description: 'Only those whose name or slug contains this text.' }),
  ),
  deleted: Type.Boolean({
    default: false,
    description: 'List deleted applications that can still be restored.',
  }),
});

export const CreateApplication = Body({
  organizationId: Id,
  name: DisplayName,
  slug: Type.Optional(Slug),
  rootDirectory: Type.Optional(RootDirectory),
});

export const ChangeApplication = Type.Object(
  {
    name: Type.Optional(DisplayName),
    slug: Type.Optional(Slug),
    rootDirectory: Type.Optional(RootDirectory),
    defaultEnvironmentSlug: Type.Optional(Slug),
  },
  { additionalProperties: false, minProperties: 1 },
);

export const TransferApplication = Body({ organizationId: Id });

export const ApplicationPath = Type.Object({ applicationId: Id });
export const PicturePath = Type.Object({ pictureId: Id });
export const EnvironmentPath = Type.Object({ applicationId: Id, environmentId: Id });

const Branches = Type.Array(Type.String({ maxLength: 255 }), {
  maxItems: 50,
  uniqueItems: true,
  description: 'Branches deployed to it: names, or patterns where `*` is a wildcard.',
});

const RollBackOnCrash = Type.Boolean({
  description:
    'Whether it goes back to the deployment before by itself, where one that went live less than an hour ago crashes five times ' +
    'within a minute.',
});

const AlwaysOn = Type.Boolean({
  description:
    'Whether each function of its live deployment keeps one process running on each node, neither frozen nor ended while idle.',
});

export const Environment = Type.Object(
  {
    id: Id,
    applicationId: Id,
    name: Type.String(),
    slug: Type.String(),
    branches: Branches,
    rollBackOnCrash: RollBackOnCrash,
    alwaysOn: AlwaysOn,
    createdAt: Time,
    updatedAt: Time,
  },
  { title: 'Environment' },
);
export const EnvironmentList = ListOf(Environment);

export const CreateEnvironment = Body({
  name: DisplayName,
  slug: Type.Optional(Slug),
  branches: Type.Optional(Branches),
  rollBackOnCrash: Type.Optional(RollBackOnCrash),
  alwaysOn: Type.Optional(AlwaysOn),
});

export const ChangeEnvironment = Type.Object(
  {
    name: Type.Optional(DisplayName),
    slug: Type.Optional(Slug),
    branches: Type.Optional(Branches),
    rollBackOnCrash: Type.Optional(RollBackOnCrash),
    alwaysOn: Type.Optional(AlwaysOn),
  },
  { additionalProperties: false, minProperties: 1 },
);
