import { type TObject, type TProperties, type TSchema, Type } from 'typebox';

/** The pieces that every area's schemas are made of. A schema with a `title` becomes a named component of OpenAPI. */

export const Id = Type.String({ format: 'uuid' });
export const Time = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, milliseconds.' });

/** Trimmed and then measured by core/names.ts; the bound here only keeps out what cannot be meant. */
export const DisplayName = Type.String({
  maxLength: 1024,
  description: '1 to 128 characters after trimming.',
});

export const Slug = Type.String({
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  maxLength: 64,
  description: 'Lowercase letters, digits and inner hyphens; unique.',
});

export function Nullable<T extends TSchema>(schema: T, options: { description?: string } = {}) {
  return Type.Union([schema, Type.Null()], options);
}

/** A request body: what is not named is refused. */
export function Body<T extends TProperties>(
  properties: T,
  options: { description?: string } = {},
): TObject<T> {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

export function OneOf<const V extends readonly string[]>(values: V, options: { description?: string } = {}) {
  return Type.Unsafe<V[number]>({ type: 'string', enum: values, ...options });
}

/** `{items, total}`, and `nextCursor` while more remain. */
export function ListOf<T extends TSchema>(item: T) {
  return Type.Object({
    items: Type.Array(item),
    total: Type.Integer({ description: 'Total number of items across all pages.' }),
    nextCursor: Type.Optional(
      Type.String({ description: 'Cursor of the next page, if there are more items.' }),
    ),
  });
}

export const ErrorBody = Type.Object(
  { error: Type.String({ description: 'What is wrong and how to fix it.' }) },
  { title: 'Error' },
);

export const OrganizationPath = Type.Object({ organizationId: Id });

export const ApplicationPath = Type.Object({ applicationId: Id });
