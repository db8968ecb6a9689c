import { Type } from 'typebox';
import { Body, DisplayName, Id, ListOf, Slug, Time } from '#http/schema.ts';

export const Organization = Type.Object(
  {
    id: Id,
    name: Type.String(),
    slug: Type.String(),
    imageUrl: Type.String({ format: 'uri' }),
    createdAt: Time,
    updatedAt: Time,
  },
  { title: 'Organization' },
);

export const OrganizationList = ListOf(Organization);

export const CreateOrganization = Body({ name: DisplayName, slug: Type.Optional(Slug) });

export const ChangeOrganization = Type.Object(
  { name: Type.Optional(DisplayName), slug: Type.Optional(Slug) },
  { additionalProperties: false, minProperties: 1 },
);

export const ListOrganizationsQuery = Type.Object({
  from: Type.Optional(
    Type.String({ format: 'uuid', description: 'The id of the last organization of the previous page.' }),
  ),
  cursor: Type.Optional(
    Type.String({ format: 'uuid', description: 'The `nextCursor` of the previous page; same as `from`.' }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'Items per page.' }),
  deleted: Type.Boolean({
    default: false,
    description: 'List deleted organizations that you own and can still restore.',
  }),
});

export const AvatarPath = Type.Object({ name: Type.String({ pattern: '^[0-9a-f-]{1,64}\\.svg$' }) });
export const ImagePath = Type.Object({ imageId: Id });
