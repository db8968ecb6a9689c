import { Type } from 'typebox';
import { Body, Id, ListOf, Nullable, OneOf, Time } from '#http/schema.ts';

const Role = OneOf(['OWNER', 'ADMIN', 'MEMBER']);

export const Member = Type.Object(
  {
    membershipId: Id,
    organizationId: Id,
    userId: Id,
    email: Type.String({ format: 'email' }),
    givenName: Nullable(Type.String()),
    familyName: Nullable(Type.String()),
    imageUrl: Nullable(Type.String({ format: 'uri' })),
    role: Role,
    joinedAt: Time,
  },
  { title: 'Member' },
);
export const MemberList = ListOf(Member);

export const ChangeMember = Body({ role: Role });
export const MemberPath = Type.Object({ organizationId: Id, membershipId: Id });

const invitationFields = {
  id: Id,
  organizationId: Id,
  email: Type.String({ format: 'email' }),
  role: Role,
  expiresAt: Time,
  createdAt: Time,
};
const Invitation = Type.Object(invitationFields, { title: 'Invitation' });
export const InvitationList = ListOf(Invitation);
export const CreatedInvitation = Type.Object(
  {
    ...invitationFields,
    sent: Type.Boolean({ description: 'Whether the invitation was sent by e-mail.' }),
    url: Nullable(
      Type.String({
        description: 'The invitation link, shown once, if the instance sends no e-mail.',
      }),
    ),
  },
  { title: 'CreatedInvitation' },
);

export const CreateInvitation = Body({
  email: Type.String({ format: 'email', maxLength: 254 }),
  role: Type.Optional(Type.Unsafe<'OWNER' | 'ADMIN' | 'MEMBER'>({ ...Role, default: 'MEMBER' })),
});
export const InvitationPath = Type.Object({ organizationId: Id, invitationId: Id });

const Token = Type.String({ minLength: 1, maxLength: 256, description: 'The token of the link.' });
export const InvitationToken = Body({ token: Token });

export const OpenInvitation = Type.Object(
  {
    organization: Type.Object({ id: Id, name: Type.String(), imageUrl: Type.String({ format: 'uri' }) }),
    email: Type.String({ format: 'email' }),
    role: Role,
    expiresAt: Time,
  },
  { title: 'OpenInvitation' },
);

export const AcceptedInvitation = Type.Object(
  { organizationId: Id, membershipId: Id, role: Role },
  { title: 'AcceptedInvitation' },
);
