import { Type } from 'typebox';
import { Body, OneOf } from '#http/schema.ts';

const Kind = OneOf(['incremental', 'component', 'warmup'], {
  description: 'What the framework keeps: pages and data, cached components, or nothing but a first read.',
});

export const EntryPath = Type.Object({
  kind: Kind,
  key: Type.String({ minLength: 1, maxLength: 1024 }),
});
const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 512 }), { maxItems: 256 });

export const Entry = Type.Object(
  {
    value: Type.Unknown({ description: 'As it was stored: JSON, with bytes and maps wrapped.' }),
    tags: Type.Optional(Tags),
  },
  { title: 'RuntimeCacheEntry' },
);
export const PutEntry = Body({ value: Type.Unknown(), tags: Type.Optional(Tags) });

export const Revalidate = Body({
  kind: Type.Optional(Kind),
  tags: Tags,
  durations: Type.Optional(
    Type.Object(
      {
        expire: Type.Optional(
          Type.Number({ minimum: 0, description: 'Seconds for which what is stale may still be served.' }),
        ),
      },
      { description: 'Absent: what has the tags is not served any more.' },
    ),
  ),
});
export const TagsOf = Body({ kind: Type.Optional(Kind), tags: Tags });
export const TagState = Type.Object({
  stale: Type.Integer({ description: 'Entries from before this moment are stale. Milliseconds; 0: never.' }),
  expired: Type.Integer({ description: 'Entries from before this moment are gone.' }),
});
export const TagExpiration = Type.Object({
  expiration: Type.Integer({ description: 'Milliseconds; 0: never.' }),
});
