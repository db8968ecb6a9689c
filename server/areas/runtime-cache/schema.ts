import { Type } from 'typebox';
import { Body, OneOf } from '#http/schema.ts';

const Kind = OneOf(['incremental', 'component', 'warmup'], {
  description: 'Kind of entry: pages and data, cached components, or a first read only.',
});

export const EntryPath = Type.Object({
  kind: Kind,
  key: Type.String({ minLength: 1, maxLength: 1024 }),
});
const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 512 }), { maxItems: 256 });

export const Entry = Type.Object(
  {
    value: Type.Unknown({ description: 'The stored value: JSON, with bytes and maps wrapped.' }),
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
          Type.Number({ minimum: 0, description: 'Seconds for which stale entries can still be served.' }),
        ),
      },
      { description: 'If absent, entries with these tags are no longer served.' },
    ),
  ),
});
export const TagsOf = Body({ kind: Type.Optional(Kind), tags: Tags });
export const TagState = Type.Object({
  stale: Type.Integer({ description: 'Entries older than this are stale. Milliseconds; 0: never.' }),
  expired: Type.Integer({ description: 'Entries older than this are removed.' }),
});
export const TagExpiration = Type.Object({
  expiration: Type.Integer({ description: 'Milliseconds; 0: never.' }),
});
