import { type Static, Type } from 'typebox';
import { Body, Nullable, Time } from '#http/schema.ts';

/** UTF-8 needs at least a byte for each character: the bound in bytes is checked beside this one. */
export const maxKeyBytes = 512;

const Key = Type.String({ minLength: 1, maxLength: maxKeyBytes, description: '1 to 512 bytes of UTF-8.' });
const Value = Type.String({
  description: 'Text of up to 1 MiB of UTF-8. Encode binary values, for example as base64.',
});
const Expiration = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  minimum: 0,
  description:
    'Absent, null or 0: never. Up to 2592000 (30 days): seconds from now. Above that: a Unix time in seconds; a time in the past expires the item immediately.',
});
const By = Type.Integer({
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'May be negative.',
});

const itemFields = {
  key: Type.String(),
  value: Type.String(),
  expiration: Type.Integer({
    description: 'The value that was sent; 0: never. For the absolute time, see the Expires header.',
  }),
  byteSize: Type.Integer({ description: 'Size of the value in UTF-8.' }),
};
export const CacheItem = Type.Object(itemFields, { title: 'CacheItem' });

export const KeyQuery = Type.Object({ key: Key });

export const SetBody = Body({ key: Key, value: Value, expiration: Type.Optional(Expiration) });

export const DeleteQuery = Type.Object({
  key: Type.Optional(Key),
  prefix: Type.Optional(
    Type.String({
      maxLength: maxKeyBytes,
      description: 'Instead of `key`: delete all keys with this prefix.',
    }),
  ),
});
export const DeletedCount = Type.Object(
  { deletedCount: Type.Integer({ description: 'Number of items deleted.' }) },
  { title: 'CacheDeletion' },
);

export const IncrementBody = Body({
  key: Key,
  by: By,
  expiration: Type.Optional(
    Type.Unsafe<number | null>({
      ...Expiration,
      description:
        'Expiration if the item is created; an existing item keeps its own. Same format as for a write.',
    }),
  ),
});

const Tags = (description: string) => Type.Optional(Type.String({ maxLength: 4096, description }));
const conditions = {
  ifMatch: Tags('As the header If-Match: `*`, or entity tags.'),
  ifNoneMatch: Tags('As the header If-None-Match: `*`, or entity tags.'),
};
const Op = <const N extends string>(name: N) => Type.Unsafe<N>({ type: 'string', const: name });

const GetOperation = Body({ op: Op('get'), key: Key });
const SetOperation = Body({
  op: Op('set'),
  key: Key,
  value: Value,
  expiration: Type.Optional(Expiration),
  ...conditions,
});
const DeleteOperation = Body({ op: Op('delete'), key: Key, ...conditions });
const IncrementOperation = Body({
  op: Op('increment'),
  key: Key,
  by: By,
  expiration: Type.Optional(Expiration),
});

export type BatchOperation =
  | Static<typeof GetOperation>
  | Static<typeof SetOperation>
  | Static<typeof DeleteOperation>
  | Static<typeof IncrementOperation>;

const maxOperations = 100;

export const BatchBody = Body({
  operations: Type.Array(
    Type.Unsafe<BatchOperation>({
      type: 'object',
      discriminator: { propertyName: 'op' },
      required: ['op'],
      oneOf: [GetOperation, SetOperation, DeleteOperation, IncrementOperation],
    }),
    { minItems: 1, maxItems: maxOperations, description: 'Executed in this order.' },
  ),
});

const BatchResult = Type.Object({
  status: Type.Integer({ description: 'The status that the operation would have returned on its own.' }),
  item: Type.Optional(CacheItem),
  etag: Type.Optional(Type.String()),
  expiresAt: Type.Optional(Nullable(Time)),
  error: Type.Optional(Type.String({ description: 'What is wrong and how to fix it.' })),
});
export const BatchAnswer = Type.Object(
  { results: Type.Array(BatchResult, { description: 'One for each operation, in the same order.' }) },
  { title: 'CacheBatch' },
);

export const KeysQuery = Type.Object({
  prefix: Type.Optional(Type.String({ maxLength: maxKeyBytes, description: 'Only keys with this prefix.' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'Keys per page; default 100.' }),
  ),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1024, description: 'The `nextCursor` of the previous page.' }),
  ),
});

export const CacheKey = Type.Object(
  {
    key: itemFields.key,
    expiration: itemFields.expiration,
    expiresAt: Nullable(Time),
    byteSize: itemFields.byteSize,
  },
  { title: 'CacheKey' },
);

export const CacheStats = Type.Object(
  {
    items: Type.Integer({ description: 'Number of items; expired items may be included for some seconds.' }),
    bytes: Type.Integer({ description: 'Bytes of stored keys and values, plus 160 for each item.' }),
    maxBytes: Type.Integer({ description: 'When exceeded, items are evicted.' }),
    hits: Type.Integer(),
    misses: Type.Integer(),
    evictions: Type.Integer({ description: 'Items evicted before their expiration.' }),
  },
  { title: 'CacheStats' },
);
