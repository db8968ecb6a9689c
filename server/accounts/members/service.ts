import { randomBytes } from 'node:crypto';
import type { MadeKeys } from '#accounts/api-keys/service.ts';
import { type ActionOf, type AuditSource, audit } from '#accounts/audit-log/service.ts';
import { announceMembership, findOrganization, insertMember } from '#accounts/organizations/service.ts';
import { findUser } from '#accounts/users/service.ts';
import type { Role } from '#core/actor.ts';
import type { Clock } from '#core/clock.ts';
import type { Db, Tx } from '#core/db.ts';
import { isId, newId } from '#core/ids.ts';
import { Problem } from '#core/problem.ts';
import type { Vault } from '#core/vault.ts';
import {
  countOwners,
  findInvitation,
  findMember,
  type InvitationRow,
  isMember,
  type MemberRow,
  putInvitation,
  removeInvitation,
  removeMember,
  setRole,
} from './store.ts';

export { leaveAll } from './leave.ts';
export { adminAddresses, isInvited, soleOwnerships, sweepInvitations } from './store.ts';

/** Changes of who belongs to an organization queue up behind this, so that two owners cannot leave past each other. */
export function membersQueue(organizationId: string): { queue: string } {
  return { queue: `members-of:${organizationId}` };
}

export async function changeRole(
  tx: Tx,
  source: AuditSource,
  organizationId: string,
  { membershipId, role }: { membershipId: string; role: Role },
): Promise<MemberRow> {
  const member = await memberOf(tx, organizationId, membershipId);
  if (member.role === role) return member;
  if (member.role === 'OWNER') await demandAnotherOwner(tx, organizationId);
  await setRole(tx, membershipId, role);
  await auditChange(tx, source, member, 'role_updated', { from: member.role, to: role });
  return { ...member, role };
}

/**
 * Takes a member out, and ends the keys that they have made there unless those are kept. `may` says whether the caller
 * may, once it is known who the member is.
 */
export async function takeOut(
  tx: Tx,
  source: AuditSource,
  organizationId: string,
  wanted: {
    membershipId: string;
    may: (member: MemberRow) => boolean;
    /** Null: they are kept. */
    endKeys: MadeKeys | null;
    now: number;
  },
): Promise<void> {
  const { membershipId, may, endKeys, now } = wanted;
  const member = await memberOf(tx, organizationId, membershipId);
  if (!may(member)) {
    throw new Problem(
      'forbidden',
      'Members are removed by owners of the organization; others can only leave it.',
    );
  }
  if (member.role === 'OWNER') await demandAnotherOwner(tx, organizationId);
  await removeMember(tx, membershipId);
  await endKeys?.end(tx, { source, now }, { userId: member.user_id, organizationId });
  await auditChange(tx, source, member, 'removed', { role: member.role });
}

export async function memberOf(
  tx: Db | Tx,
  organizationId: string,
  membershipId: string,
): Promise<MemberRow> {
  const member = await findMember(tx, organizationId, membershipId);
  if (!member) throw new Problem('not_found', 'The organization has no member with this id.');
  return member;
}

async function demandAnotherOwner(tx: Tx, organizationId: string): Promise<void> {
  if ((await countOwners(tx, organizationId)) > 1) return;
  const sentence = 'This is the last owner. Make another member an owner first, or delete the organization.';
  throw new Problem('conflict', sentence);
}

async function auditChange(
  tx: Tx,
  source: AuditSource,
  member: MemberRow,
  what: ActionOf<'member'>,
  details: object,
) {
  const { organization_id: organizationId, membership_id: targetId, user_id: userId, email } = member;
  announceMembership(tx, userId, organizationId);
  const target = { organizationId, targetType: 'member', targetId };
  await audit(tx, source, { ...target, action: `member.${what}`, details: { userId, email, ...details } });
}

export interface NewInvitation {
  organizationId: string;
  email: string;
  role: Role;
  invitedByUserId: string | null;
  lifetimeSeconds: number;
}

interface InvitationDeps {
  db: Db;
  vault: Vault;
  clock: Clock;
}

/** An invitation and its token, which is kept as a digest only. An earlier one of the same address ends. */
export async function invite(
  tx: Tx,
  { vault, clock }: InvitationDeps,
  source: AuditSource,
  wanted: NewInvitation,
): Promise<{ row: InvitationRow; token: string }> {
  const { organizationId, role, invitedByUserId, lifetimeSeconds } = wanted;
  const email = wanted.email.toLowerCase();
  if (await isMember(tx, organizationId, email)) {
    throw new Problem('conflict', `${email} is a member of the organization already.`);
  }
  const now = clock.now();
  const secret = randomBytes(32).toString('base64url');
  const { digest, version } = vault.hash(secret);
  const row: InvitationRow = {
    id: newId(now),
    organization_id: organizationId,
    email,
    role,
    token_digest: digest,
    hash_version: version,
    invited_by_user_id: invitedByUserId,
    expires_at: now + lifetimeSeconds * 1000,
    created_at: now,
  };
  await putInvitation(tx, row);
  await audit(tx, source, {
    organizationId,
    action: 'invitation.created',
    targetType: 'invitation',
    targetId: row.id,
    details: { email, role },
  });
  return { row, token: `${row.id}.${secret}` };
}

export async function revokeInvitation(
  tx: Tx,
  source: AuditSource,
  organizationId: string,
  id: string,
): Promise<void> {
  const row = await findInvitation(tx, id);
  if (row?.organization_id !== organizationId) {
    throw new Problem('not_found', 'The organization has no invitation with this id.');
  }
  await removeInvitation(tx, id);
  const target = { organizationId, targetType: 'invitation', targetId: id };
  await audit(tx, source, { ...target, action: 'invitation.revoked', details: { email: row.email } });
}

/** The invitation that the token opens. Unknown, used, revoked and expired ones are refused alike. */
export async function openInvitation(
  db: Db | Tx,
  { vault, clock }: { vault: Vault; clock: Clock },
  token: string,
): Promise<InvitationRow> {
  const [id = '', secret = ''] = token.split('.', 2);
  const row = isId(id) ? await findInvitation(db, id.toLowerCase()) : undefined;
  const digest = row ? { digest: row.token_digest, version: row.hash_version } : nobody;
  if (!vault.matches(secret, digest) || !row || row.expires_at <= clock.now()) {
    throw new Problem(
      'not_found',
      'This invitation is no longer valid: it was used, revoked, or has expired.',
    );
  }
  return row;
}

const nobody = { digest: new Uint8Array(32), version: 1 };

/** Makes the user a member, once. The invitation is for one address, and whoever accepts it has to be its owner. */
export async function accept(
  tx: Tx,
  deps: InvitationDeps,
  source: AuditSource,
  { token, userId }: { token: string; userId: string },
): Promise<{ organizationId: string; membershipId: string; role: Role }> {
  const { clock } = deps;
  const invitation = await openInvitation(tx, deps, token);
  const { organization_id: organizationId, email, role } = invitation;
  const user = await findUser(tx, userId);
  if (user?.email !== email) {
    throw new Problem(
      'forbidden',
      `This invitation is for ${email}. Sign in with that address to accept it.`,
    );
  }
  const organization = await findOrganization(tx, organizationId);
  if (!organization || organization.deleted_at !== null) {
    throw new Problem('not_found', 'The organization of this invitation no longer exists.');
  }
  if (await isMember(tx, organizationId, email)) {
    throw new Problem('conflict', 'You are a member of this organization already.');
  }
  const now = clock.now();
  const membershipId = newId(now);
  const membership = {
    id: membershipId,
    organization_id: organizationId,
    user_id: userId,
    role,
    created_at: now,
  };
  await insertMember(tx, membership);
  await removeInvitation(tx, invitation.id);
  announceMembership(tx, userId, organizationId);
  await audit(tx, source, {
    organizationId,
    action: 'invitation.accepted',
    targetType: 'member',
    targetId: membershipId,
    details: { userId, email, role },
  });
  return { organizationId, membershipId, role };
}
