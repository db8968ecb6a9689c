import { Type } from 'typebox';
import { CursorQuery } from '#http/paging.ts';
import { Body, Id, ListOf, Nullable, Time } from '#http/schema.ts';

export const AdminUser = Type.Object(
  {
    id: Id,
    email: Type.String(),
    name: Type.String(),
    operator: Type.Boolean(),
    admitted: Type.Boolean({ description: 'Whether the user was admitted from the waitlist.' }),
    suspended: Type.Boolean(),
    hasPaymentMethod: Type.Boolean(),
    organizations: Type.Integer({ description: 'Number of organizations that the user belongs to.' }),
    createdAt: Time,
    updatedAt: Time,
  },
  { title: 'AdminUser' },
);
export const AdminUserList = ListOf(AdminUser);
export const UserPath = Type.Object({ userId: Id });

export const ListUsersQuery = Type.Interface([CursorQuery], {
  search: Type.Optional(Type.String({ maxLength: 254, description: 'A part of the address or the name.' })),
  waitlist: Type.Boolean({
    default: false,
    description: 'Only users waiting to be admitted, longest first.',
  }),
});

export const ChangeUser = Type.Object(
  {
    admitted: Type.Optional(Type.Boolean()),
    suspended: Type.Optional(Type.Boolean()),
    operator: Type.Optional(Type.Boolean()),
    hasPaymentMethod: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false, minProperties: 1 },
);

export const AdminOrganization = Type.Object(
  {
    id: Id,
    name: Type.String(),
    slug: Type.String(),
    imageUrl: Type.String(),
    members: Type.Integer(),
    suspended: Type.Boolean(),
    deletedAt: Nullable(Time),
    createdAt: Time,
    updatedAt: Time,
  },
  { title: 'AdminOrganization' },
);
export const AdminOrganizationList = ListOf(AdminOrganization);
export const ListOrganizationsQuery = Type.Interface([CursorQuery], {
  search: Type.Optional(Type.String({ maxLength: 254, description: 'A part of the name or the slug.' })),
});
export const AdminOrganizationPath = Type.Object({ adminOrganizationId: Id });
export const ChangeOrganization = Body({ suspended: Type.Boolean() });

const settingFields = {
  earlyAccess: Type.Boolean({
    description: 'Only users admitted from the waitlist can create organizations.',
  }),
  organizationQuota: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  organizationsPerMinute: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  paymentRequired: Type.Boolean(),
  organizationsWithoutPayment: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
};
export const Settings = Type.Object(settingFields, { title: 'InstanceSettings' });
export const ChangeSettings = Type.Partial(Type.Object(settingFields), {
  additionalProperties: false,
  minProperties: 1,
});

export const Overview = Type.Object(
  {
    version: Type.String(),
    node: Type.String(),
    startedAt: Time,
    database: Type.Object({
      engine: Type.String(),
      ready: Type.Boolean(),
      milliseconds: Nullable(Type.Number()),
    }),
    mail: Type.Boolean({ description: 'Whether the instance can send mail.' }),
    memoryBytes: Type.Integer(),
    users: Type.Integer(),
    waitlist: Type.Integer(),
    organizations: Type.Integer(),
    apiKeys: Type.Integer(),
  },
  { title: 'InstanceOverview' },
);
