import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import type { Powers } from '#accounts/api-keys/service.ts';
import type { Environments } from '#accounts/applications/service.ts';
import { requestSource } from '#accounts/audit-log/service.ts';
import { type Buckets, bucketGone } from '#areas/storage/service.ts';
import type { Auth } from '#core/actor.ts';
import { isoTime } from '#core/clock.ts';
import { isId } from '#core/ids.ts';
import type { LastUsed } from '#core/last-used.ts';
import { Problem } from '#core/problem.ts';
import type { Once } from '#http/idempotency.ts';
import { listPage } from '#http/paging.ts';
import { type CredentialDeps, createCredential, revokeCredential, scopesOf } from './credentials.ts';
import {
  ApplicationPath,
  CreateS3Credential,
  CredentialPath,
  CredentialQuery,
  NewS3Credential,
  type S3Credential,
  S3CredentialList,
} from './schema.ts';
import { type CredentialRow, countCredentials, findCredential, listCredentials } from './store.ts';

const path = '/applications/:applicationId/storage/s3-credentials';
const tags = ['S3 credentials'];
const managers = {
  scope: 'network:storage:write',
  actors: ['user', 'organization', 'application'],
  role: 'ADMIN',
  product: 'storage',
} as const;

export interface CredentialRouteDeps extends CredentialDeps {
  once: Once;
  powers: Powers;
  environments: Pick<Environments, 'resolve'>;
  buckets: Buckets;
  used: LastUsed;
  /** Where clients connect to. */
  connection(): { endpoint: string; rootEndpoint: string | null; region: string };
}

export function credentialRoutes(deps: CredentialRouteDeps): FastifyPluginAsyncTypebox {
  const { db, clock, once, powers, environments, buckets } = deps;

  return async (app) => {
    app.get(
      path,
      {
        config: managers,
        schema: {
          operationId: 'listS3Credentials',
          summary: 'List S3 credentials',
          tags,
          params: ApplicationPath,
          querystring: CredentialQuery,
          response: { 200: S3CredentialList },
        },
      },
      async ({ auth, params, query }) => {
        const filter = { applicationId: params.applicationId, environmentId: auth.actor.environmentId };
        return listPage(query, {
          rows: async (page) => Promise.all((await listCredentials(db, filter, page)).map(show)),
          count: () => countCredentials(db, filter),
          sortKey: ({ id }) => id,
          item: (credential) => credential,
        });
      },
    );

    app.post(
      path,
      {
        config: { ...managers, once: true },
        schema: {
          operationId: 'createS3Credential',
          summary: 'Create an S3 credential',
          description:
            'The secret is shown once. Point an S3 client at `endpoint`, with path-style addressing.',
          tags,
          params: ApplicationPath,
          body: CreateS3Credential,
          response: { 200: NewS3Credential },
        },
      },
      async (request) => {
        const { auth, body, organizationId, params } = request;
        const { access = 'readwrite', prefix = null } = body;
        const place = await placeOf(auth, params.applicationId, body);
        const now = clock.now();
        const bounds = await powers.boundsOf(auth);
        // Unless it is said: as long as the key that makes it.
        const fallback = body.expiresAt === undefined ? bounds.expiresAt : null;
        const expiresAt = body.expiresAt ? Date.parse(body.expiresAt) : fallback;
        if (expiresAt !== null && !(expiresAt > now))
          throw new Problem('invalid_request', 'The field "expiresAt" must be in the future.');
        if (prefix !== null && (!prefix.isWellFormed() || prefix.includes('\0')))
          throw new Problem('invalid_request', 'The field "prefix" must be valid Unicode without NUL.');
        const allowedAddresses = bounds.addresses;
        const origin = await powers.demand(auth, {
          heldBy: 'bearer',
          scopes: scopesOf(access),
          expiresAt,
          addresses: allowedAddresses,
        });
        return once(request, async (tx) => {
          const made = await createCredential(tx, deps, requestSource(request), {
            ...{ organizationId, applicationId: params.applicationId, ...place },
            ...{ name: body.name ?? 'S3 credential', access, prefix, expiresAt, allowedAddresses, origin },
          });
          return { ...render(made.row, body.bucket ?? null), secretAccessKey: made.secret };
        });
      },
    );

    app.delete(
      `${path}/:credentialId`,
      {
        config: managers,
        schema: {
          operationId: 'deleteS3Credential',
          summary: 'Revoke an S3 credential',
          tags,
          params: CredentialPath,
          response: { 204: { type: 'null', description: 'Revoked.' } },
        },
      },
      async (request, reply) => {
        const { auth, organizationId, params } = request;
        await db.write(async (tx) => {
          const row = await findCredential(tx, params.applicationId, params.credentialId);
          const only = auth.actor.environmentId;
          if (!row || (only !== null && row.environment_id !== only))
            throw new Problem('not_found', 'The application has no S3 credential with this id.');
          await revokeCredential(tx, requestSource(request), organizationId, row);
        });
        return reply.code(204).send(null);
      },
    );
  };

  /** Where it works: an environment, and in it perhaps a bucket. */
  async function placeOf(
    auth: Auth,
    applicationId: string,
    body: { environment?: string; bucket?: string },
  ): Promise<{ environmentId: string; bucketId: string | null }> {
    const { bucket } = body;
    const named = bucket !== undefined && isId(bucket) ? await buckets.byId(bucket) : undefined;
    // One of another application is as if it were not: nor does its environment show in the answer.
    const byId = named?.application_id === applicationId ? named : undefined;
    const wanted = body.environment ?? byId?.environment_id;
    const { id: environmentId } = await environments.resolve(auth, applicationId, wanted);
    if (bucket === undefined) return { environmentId, bucketId: null };
    const found = byId ?? (await buckets.byName(environmentId, bucket));
    if (!found || found.application_id !== applicationId || found.environment_id !== environmentId)
      throw bucketGone();
    return { environmentId, bucketId: found.id };
  }

  async function show(row: CredentialRow): Promise<Static<typeof S3Credential>> {
    const bucket = row.bucket_id === null ? null : await buckets.byId(row.bucket_id);
    return render(row, bucket?.name ?? null);
  }

  function render(row: CredentialRow, bucketName: string | null): Static<typeof S3Credential> {
    const lastUsedAt = deps.used.notedAt(row.id) ?? row.last_used_at;
    return {
      id: row.id,
      applicationId: row.application_id,
      name: row.name,
      accessKeyId: row.access_key_id,
      environmentId: row.environment_id,
      access: row.access,
      bucket: row.bucket_id === null ? null : { id: row.bucket_id, name: bucketName },
      prefix: row.prefix,
      expiresAt: row.expires_at === null ? null : isoTime(row.expires_at),
      lastUsedAt: lastUsedAt === null ? null : isoTime(lastUsedAt),
      createdAt: isoTime(row.created_at),
      ...deps.connection(),
    };
  }
}
