import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { type Powers, scopesOfRole } from '#accounts/api-keys/service.ts';
import { requestSource } from '#accounts/audit-log/service.ts';
import type { Attempts } from '#accounts/idp/service.ts';
import { findOrganization, organizationImage } from '#accounts/organizations/service.ts';
import { senderOf } from '#core/addresses.ts';
import { type Clock, isoTime } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import type { Mailer } from '#core/mailer.ts';
import { Problem } from '#core/problem.ts';
import type { Vault } from '#core/vault.ts';
import type { Once } from '#http/idempotency.ts';
import { CursorQuery, listPage } from '#http/paging.ts';
import { RateLimiter } from '#http/rate-limit.ts';
import { OrganizationPath } from '#http/schema.ts';
import {
  AcceptedInvitation,
  CreatedInvitation,
  CreateInvitation,
  InvitationList,
  InvitationPath,
  InvitationToken,
  OpenInvitation,
} from './schema.ts';
import { accept, invite, openInvitation, revokeInvitation } from './service.ts';
import { countInvitations, type InvitationRow, listInvitations } from './store.ts';

const tags = ['Members'];
/** Of one address; a person opens one or two. */
const opensPerMinute = 60;

/** Of letters in an hour. */
interface MailLimits {
  mailsPerRecipient: number;
  invitationsPerOrganization: number;
  invitationsPerSender: number;
}

const owners = {
  scope: 'platform:organizations:write',
  actors: ['user', 'organization'],
  role: 'OWNER',
} as const;

export function invitationRoutes(deps: {
  db: Db;
  vault: Vault;
  clock: Clock;
  once: Once;
  mailer: Mailer | null;
  baseUrl: string;
  lifetimeSeconds: number;
  powers: Powers;
  attempts: Attempts;
  limits: MailLimits;
}): FastifyPluginAsyncTypebox {
  const { db, vault, clock, once, mailer, baseUrl, lifetimeSeconds, powers } = deps;
  const { attempts, limits } = deps;
  const opening = new RateLimiter({ limit: opensPerMinute, windowSeconds: 60, clock });

  /** Nobody's mailbox is filled, by nobody, and no organization becomes a mailer of others. */
  const countMail = async ({ auth, organizationId }: FastifyRequest, email: string) => {
    const sender = auth.actor.type === 'user' ? auth.actor.id : auth.clientId;
    const hour = { windowSeconds: 3600 };
    await attempts.take([
      { key: `letter:invitation:${email}`, limit: limits.mailsPerRecipient, ...hour },
      { key: `invitations-of:${organizationId}`, limit: limits.invitationsPerOrganization, ...hour },
      { key: `invitations-by:${sender}`, limit: limits.invitationsPerSender, ...hour },
    ]);
  };

  return async (app) => {
    app.post(
      '/organizations/:organizationId/invitations',
      {
        config: { errors: [409], ...owners, forms: true, once: true },
        schema: {
          operationId: 'createInvitation',
          summary: 'Invite a member',
          description: 'Replaces an earlier invitation of the same address.',
          tags,
          params: OrganizationPath,
          body: CreateInvitation,
          response: { 200: CreatedInvitation },
        },
      },
      async (request) => {
        const { organizationId, body, auth } = request;
        const { email, role = 'MEMBER' } = body;
        const invitedByUserId = auth.actor.type === 'user' ? auth.actor.id : null;
        const wanted = { organizationId, email, role, invitedByUserId, lifetimeSeconds };
        const organization = await findOrganization(db, organizationId);
        await powers.demand(auth, {
          heldBy: 'person',
          scopes: scopesOfRole(role),
          // To own the organization is for ever; what owners give to others they can take back.
          expiresAt: role === 'OWNER' ? null : clock.now() + lifetimeSeconds * 1000,
          addresses: [],
        });
        if (mailer) await countMail(request, email.toLowerCase());
        const made = await once(request, async (tx) => {
          const { row, token } = await invite(tx, deps, requestSource(request), wanted);
          // In the fragment: it reaches no server log and no Referer.
          return { ...toInvitation(row), url: `${baseUrl}/invitation#${token}` };
        });
        if (!mailer) return { ...made, sent: false };
        // After the commit, so that no letter leads nowhere. When it fails the inviter hears of it and tries again.
        await mailer.send(letter(made, organization?.name ?? ''));
        return { ...made, sent: true, url: null };
      },
    );

    app.get(
      '/organizations/:organizationId/invitations',
      {
        config: { scope: 'platform:organizations:read', actors: ['user', 'organization'], role: 'OWNER' },
        schema: {
          operationId: 'listInvitations',
          summary: 'List pending invitations',
          tags,
          params: OrganizationPath,
          querystring: CursorQuery,
          response: { 200: InvitationList },
        },
      },
      async ({ organizationId, query }) => {
        const now = clock.now();
        return listPage(query, {
          rows: (page) => listInvitations(db, organizationId, now, page),
          count: () => countInvitations(db, organizationId, now),
          sortKey: (row) => row.id,
          item: toInvitation,
        });
      },
    );

    app.delete(
      '/organizations/:organizationId/invitations/:invitationId',
      {
        config: owners,
        schema: {
          operationId: 'deleteInvitation',
          summary: 'Revoke an invitation',
          tags,
          params: InvitationPath,
          response: { 204: { type: 'null', description: 'The invitation was revoked.' } },
        },
      },
      async (request, reply) => {
        const { organizationId, params } = request;
        await db.write((tx) =>
          revokeInvitation(tx, requestSource(request), organizationId, params.invitationId),
        );
        return reply.code(204).send(null);
      },
    );

    app.post(
      '/invitations/open',
      {
        // For strangers: more than the token and its field is not read.
        bodyLimit: 4096,
        config: { errors: [404], public: true },
        schema: {
          operationId: 'openInvitation',
          summary: 'Get an invitation by its token',
          tags,
          body: InvitationToken,
          response: { 200: OpenInvitation },
        },
      },
      async ({ body, ip }) => {
        const { remaining, resetSeconds } = opening.count(senderOf(ip));
        if (remaining < 0) {
          const sentence = 'Too many invitations were opened from your address. Wait a moment.';
          throw new Problem('too_many_requests', sentence, { retryAfterSeconds: resetSeconds });
        }
        const invitation = await openInvitation(db, { vault, clock }, body.token);
        const organization = await findOrganization(db, invitation.organization_id);
        if (!organization || organization.deleted_at !== null) {
          throw new Problem('not_found', 'The organization of this invitation no longer exists.');
        }
        const { id, name } = organization;
        const { email, role, expires_at } = invitation;
        const imageUrl = organizationImage(organization, baseUrl);
        return { organization: { id, name, imageUrl }, email, role, expiresAt: isoTime(expires_at) };
      },
    );

    app.post(
      '/invitations/accept',
      {
        config: { errors: [404], scope: 'platform:organizations:write', actors: ['user'] },
        schema: {
          operationId: 'acceptInvitation',
          summary: 'Accept an invitation',
          tags,
          body: InvitationToken,
          response: { 200: AcceptedInvitation },
        },
      },
      async (request) => {
        const wanted = { token: request.body.token, userId: request.auth.actor.id };
        return db.write((tx) => accept(tx, deps, requestSource(request), wanted));
      },
    );
  };
}

function letter({ email, url }: { email: string; url: string }, organization: string) {
  const text = [
    `You are invited to the organization “${organization}”.`,
    '',
    'Open this link, and sign in or sign up with this address:',
    url,
    '',
    'The link works once. If you do not know this organization, you can ignore this e-mail.',
    '',
  ].join('\n');
  return { to: email, subject: `Invitation to ${organization}`, text };
}

function toInvitation(row: InvitationRow) {
  return {
    id: row.id,
    organizationId: row.organization_id,
    email: row.email,
    role: row.role,
    expiresAt: isoTime(row.expires_at),
    createdAt: isoTime(row.created_at),
  };
}
