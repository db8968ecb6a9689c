import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Environments } from '#accounts/applications/service.ts';
import { requestSource } from '#accounts/audit-log/service.ts';
import type { Tenancy } from '#accounts/organizations/service.ts';
import { hashPassword } from '#accounts/users/service.ts';
import type { Addresses } from '#areas/hostnames/service.ts';
import { isoTime } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { Problem } from '#core/problem.ts';
import { hostName } from '../routes/compile.ts';
import {
  BypassToken,
  ChangeProtection,
  CreateShareLink,
  EnvironmentPath,
  PreviewAccess,
  PreviewAddress,
  Protection,
  ShareLink,
} from '../schema.ts';
import { findHost, findProtection, nameOfDeployment, ownerOfHost, type ProtectionRow } from '../store.ts';
import { nameOf } from '../target.ts';
import { accessPath, shareParameter } from './guard.ts';
import {
  changed,
  changeProtection,
  createBypass,
  deleteBypass,
  endVisits,
  type ProtectionDeps,
} from './service.ts';
import type { Tickets } from './tickets.ts';

const tags = ['Deployment protection'];
const product = 'deployments';
const people = ['user', 'organization'] as const;
const reads = { scope: 'network:deployments:read', actors: people, role: 'MEMBER', product } as const;
const writes = { scope: 'network:deployments:write', actors: people, role: 'ADMIN', product } as const;
const arrivalMilliseconds = 60_000;

export interface AccessRouteDeps extends ProtectionDeps {
  db: Db;
  tickets: Tickets;
  tenancy: Tenancy;
  environments: Environments;
  addresses: Addresses;
  /** Of addresses that are made for visitors: hostnames are served as the instance itself is. */
  scheme: string;
}

function shown(row: ProtectionRow | undefined) {
  return {
    enabled: row?.enabled === 1,
    hasPassword: row?.password != null,
    bypassCreatedAt: row?.bypass_created_at == null ? null : isoTime(Number(row.bypass_created_at)),
  };
}

/** Who may see the deployments of an environment. */
export function accessRoutes(deps: AccessRouteDeps): FastifyPluginAsyncTypebox {
  const { db, clock, tickets, tenancy, environments, addresses, scheme } = deps;
  const base = '/applications/:applicationId/environments/:environmentId/protection';

  const placeOf = async (
    request: FastifyRequest & { params: { applicationId: string; environmentId: string } },
  ) => {
    const { auth, params, organizationId } = request;
    return {
      organizationId,
      environment: await environments.resolve(auth, params.applicationId, params.environmentId),
    };
  };

  return async (app) => {
    app.get(
      base,
      {
        config: reads,
        schema: {
          operationId: 'getEnvironmentProtection',
          summary: 'Get the protection of an environment',
          tags,
          params: EnvironmentPath,
          response: { 200: Protection },
        },
      },
      async (request) => shown(await findProtection(db, (await placeOf(request)).environment.id)),
    );

    app.put(
      base,
      {
        config: writes,
        schema: {
          operationId: 'updateEnvironmentProtection',
          summary: 'Update the protection of an environment',
          description:
            'Deployments of a protected environment are visible to members of the organization and to visitors with a share link, the password or the automation bypass token. Off by default.',
          tags,
          params: EnvironmentPath,
          body: ChangeProtection,
          response: { 200: Protection },
        },
      },
      async (request) => {
        const place = await placeOf(request);
        const { enabled, password: plain } = request.body;
        const password = typeof plain === 'string' ? await hashPassword(plain) : plain;
        const source = requestSource(request);
        return shown(
          await db.write((tx) => changeProtection(tx, deps, source, place, { enabled, password })),
        );
      },
    );

    app.post(
      `${base}/bypass`,
      {
        config: writes,
        schema: {
          operationId: 'createProtectionBypass',
          summary: 'Create the bypass token of an environment',
          description: 'For tests and monitoring. The previous token stops working.',
          tags,
          params: EnvironmentPath,
          response: { 200: BypassToken },
        },
      },
      async (request) => {
        const place = await placeOf(request);
        const made = await db.write((tx) => createBypass(tx, deps, requestSource(request), place));
        return { token: made.token, createdAt: isoTime(made.createdAt) };
      },
    );

    app.delete(
      `${base}/bypass`,
      {
        config: writes,
        schema: {
          operationId: 'deleteProtectionBypass',
          summary: 'Delete the bypass token of an environment',
          tags,
          params: EnvironmentPath,
          response: { 204: { type: 'null', description: 'Deleted.' } },
        },
      },
      async (request, reply) => {
        const place = await placeOf(request);
        await db.write((tx) => deleteBypass(tx, deps, requestSource(request), place));
        return reply.code(204).send(null);
      },
    );

    app.post(
      `${base}/share-links`,
      {
        config: { ...writes, role: 'MEMBER' },
        schema: {
          operationId: 'createShareLink',
          summary: 'Create a share link to a protected deployment',
          tags,
          params: EnvironmentPath,
          body: CreateShareLink,
          response: { 200: ShareLink },
        },
      },
      async (request) => {
        const place = await placeOf(request);
        const { environment } = place;
        const { deploymentId, path = '/', expiresInSeconds = 604_800 } = request.body;
        const name = await nameOfDeployment(db, deploymentId, environment.id);
        if (name === null)
          throw new Problem(
            'not_found',
            'The environment has no deployment with this id that answers somewhere.',
          );
        const epoch = (await findProtection(db, environment.id))?.epoch ?? 1;
        const expiresAt = clock.now() + expiresInSeconds * 1000;
        const ticket = tickets.make('share', { environmentId: environment.id, epoch }, expiresAt);
        await db.write((tx) =>
          changed(tx, requestSource(request), place, 'share_link_created', {
            deploymentId,
            expiresInSeconds,
          }),
        );
        const url = new URL(path, `${scheme}//${addresses.of(name)}`);
        url.searchParams.set(shareParameter, ticket);
        return { url: url.href, expiresAt: isoTime(expiresAt) };
      },
    );

    app.delete(
      `${base}/share-links`,
      {
        config: writes,
        schema: {
          operationId: 'endShareLinks',
          summary: 'Revoke the share links of an environment',
          description:
            'Revokes all share links and ends the visits that they started. All visitors have to authenticate again.',
          tags,
          params: EnvironmentPath,
          response: { 204: { type: 'null', description: 'Ended.' } },
        },
      },
      async (request, reply) => {
        const place = await placeOf(request);
        await db.write((tx) => endVisits(tx, deps, requestSource(request), place));
        return reply.code(204).send(null);
      },
    );

    app.post(
      '/preview-access',
      {
        config: { scope: 'network:deployments:read', actors: ['user'] },
        schema: {
          operationId: 'createPreviewAccess',
          summary: 'Create access to a protected deployment',
          description: 'Called by the dashboard after a visitor of a protected hostname has signed in.',
          tags,
          body: PreviewAccess,
          response: { 200: PreviewAddress },
        },
      },
      async ({ auth, body }) => {
        const { hostname, to = '/', state } = body;
        const name = nameOf(hostName(hostname), addresses.domain);
        const owner = name === '' ? null : await ownerOfHost(db, name);
        const role = owner && (await tenancy.roleIn(auth, owner.organizationId));
        const host = role ? await findHost(db, name, clock.now()) : null;
        if (!host) throw new Problem('not_found', 'No deployment that you may see answers at this hostname.');
        const { environmentId, protection } = host;
        const claims = { host: name, environmentId, epoch: protection?.epoch ?? 1, state };
        const ticket = tickets.make('arrival', claims, clock.now() + arrivalMilliseconds);
        const url = new URL(accessPath, `${scheme}//${addresses.of(name)}`);
        url.search = new URLSearchParams({ ticket, to }).toString();
        return { url: url.href };
      },
    );
  };
}
