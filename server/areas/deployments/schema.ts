import { Type } from 'typebox';
import { Hostname } from '#areas/hostnames/service.ts';
import { CursorQuery } from '#http/paging.ts';
import { Body, Id, ListOf, Nullable, OneOf, Time } from '#http/schema.ts';

const statuses = [
  ...['PENDING', 'QUEUED', 'STARTING', 'BUILDING', 'PROVISIONING', 'ACTIVE', 'FAILED'],
] as const;
export type Status = 'PENDING' | 'QUEUED' | 'STARTING' | 'BUILDING' | 'PROVISIONING' | 'ACTIVE' | 'FAILED';

export const Deployment = Type.Object(
  {
    id: Id,
    applicationId: Id,
    environmentId: Id,
    status: OneOf(statuses),
    reason: Nullable(Type.String({ description: 'Why the deployment failed.' })),
    branch: Nullable(Type.String()),
    gitSha: Nullable(Type.String()),
    live: Type.Boolean({ description: 'Whether a hostname of its environment currently points to it.' }),
    crashedAt: Nullable(Time),
    crashReason: Nullable(
      Type.String({
        description: 'Why it crashed repeatedly while it was live, and what was done about it.',
      }),
    ),
    redeployOf: Nullable(Id),
    actorType: Type.String({ description: 'Who started it.' }),
    actorId: Nullable(Type.String()),
    apiKeyId: Nullable(
      Type.String({
        description:
          'API key that it was started with; null where a member was signed in, and for older deployments.',
      }),
    ),
    summary: Nullable(
      Type.Object({}, { additionalProperties: true, description: 'Framework, functions, routes, sizes.' }),
    ),
    activeAt: Nullable(Time),
    finishedAt: Nullable(Time),
    createdAt: Time,
    updatedAt: Time,
  },
  { title: 'Deployment' },
);
export const DeploymentList = Type.Object({
  ...ListOf(Deployment).properties,
  totalCapped: Type.Optional(Type.Boolean({ description: 'Whether there are more than `total`.' })),
});

export const RedeployQuery = Type.Object({
  environment: Type.Optional(
    Type.String({ maxLength: 63, description: 'Slug or id. Absent: where the deployment is.' }),
  ),
});

export const HostnameList = ListOf(Hostname);

export const LatestQuery = Type.Object({
  applicationIds: Type.Optional(
    Type.String({
      maxLength: 3700,
      description: 'Ids separated by commas, at most 100. Default: the most recently deployed applications.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description: 'Number of applications if no ids are given; default 20.',
    }),
  ),
});
export const LatestList = Type.Object({
  items: Type.Array(
    Type.Object(
      {
        applicationId: Id,
        applicationName: Type.String(),
        latest: { ...Deployment, description: 'Whatever became of it.' },
        live: Nullable(Deployment, { description: 'The live deployment of the application.' }),
        hostname: Nullable(
          Type.String({ description: 'Hostname of the application, if it has a live deployment.' }),
        ),
      },
      { title: 'LatestDeployment' },
    ),
  ),
});

const Ref = Type.String({ minLength: 1, maxLength: 255 });
export const CreateDeployment = Body({
  applicationId: Id,
  environment: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Slug or id.' })),
  branch: Type.Optional(Ref),
  prebuilt: Type.Optional(
    Type.Boolean({ description: 'The archive contains the files to serve; run no build.' }),
  ),
  gitSource: Type.Optional(
    Type.Object(
      { ref: Ref, sha: Type.Optional(Type.String({ pattern: '^[0-9a-f]{7,64}$' })) },
      {
        additionalProperties: false,
        description:
          'Source of the archive. The branch selects the environment unless another parameter does. Nothing is fetched from a repository.',
      },
    ),
  ),
});

export const DeploymentPath = Type.Object({ deploymentId: Id });
export const DeploymentsQuery = Type.Object({
  organizationId: Type.Optional(Id),
  applicationId: Type.Optional(Id),
  status: Type.Optional(OneOf(statuses)),
  ...CursorQuery.properties,
});

export const LogQuery = Type.Object({
  offset: Type.Optional(Type.Integer({ minimum: 0 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  'createdAt[gt]': Type.Optional(Type.String({ format: 'date-time' })),
});
export const LogPage = Type.Object({
  totalItems: Type.Integer(),
  limit: Type.Integer(),
  offset: Type.Integer(),
  items: Type.Array(
    Type.Object(
      {
        id: Id,
        message: Type.String(),
        type: OneOf(['INFO', 'ERROR', 'WARN', 'DEBUG']),
        createdAt: Time,
      },
      { title: 'DeploymentLogLine' },
    ),
  ),
});

const PartNumber = Type.Integer({ minimum: 1, maximum: 1000 });
export const StartedUpload = Type.Object({ uploadId: Id });
export const PartWanted = Body({ uploadId: Type.String({ maxLength: 64 }), partNumber: PartNumber });
export const PartAddress = Type.Object({
  url: Type.String({ description: 'PUT the bytes here, without a bearer token.' }),
});
export const CompleteUpload = Body({
  uploadId: Type.String({ maxLength: 64 }),
  parts: Type.Array(
    Type.Object(
      { partNumber: PartNumber, etag: Type.String({ maxLength: 128 }) },
      { additionalProperties: false },
    ),
    { minItems: 1, maxItems: 1000 },
  ),
});
export const PutPartPath = Type.Object({ deploymentId: Id, uploadId: Id, partNumber: PartNumber });
export const PutPartQuery = Type.Object({
  expires: Type.Integer({ minimum: 0 }),
  key: Type.Integer({ minimum: 1 }),
  signature: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }),
});
