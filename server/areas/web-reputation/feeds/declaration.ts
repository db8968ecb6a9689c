import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Static, Type } from 'typebox';
import { duration, size } from '#core/settings.ts';
import { OneOf } from '#http/schema.ts';
import { compiledWhenUsed, sentenceFor } from '#http/validation.ts';
import { type ListedStatus, precedence } from '../statuses.ts';
import type { Place } from './formats/json.ts';

export const formats = ['plain', 'hosts', 'wildcard', 'adblock', 'json', 'module'] as const;
export type Format = (typeof formats)[number];

/** One entry of a feeds file. docs/web-reputation.md explains it to operators. */
const Declaration = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$' }),
    status: OneOf(precedence),
    format: OneOf(formats),
    url: Type.Optional(Type.String({ pattern: '^https?://' })),
    package: Type.Optional(Type.String({ minLength: 1 })),
    file: Type.Optional(Type.String({ minLength: 1 })),
    member: Type.Optional(Type.String({ minLength: 1 })),
    path: Type.Optional(Type.String({ minLength: 1 })),
    field: Type.Optional(Type.String({ minLength: 1 })),
    where: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String(), { minItems: 1 }))),
    except: Type.Optional(Type.Array(Type.String())),
    sparing: Type.Optional(Type.Boolean()),
    licence: Type.String({ minLength: 1 }),
    homepage: Type.Optional(Type.String()),
    refresh: Type.Optional(Type.String()),
    maxSize: Type.Optional(Type.String()),
    smallest: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false },
);
const FeedsFile = Type.Object({ feeds: Type.Array(Declaration) }, { additionalProperties: false });

/** Where a feed comes from: with the program, or over the network. */
type Source =
  | { readonly kind: 'package'; readonly package: string; readonly file?: string; readonly member?: string }
  | { readonly kind: 'file'; readonly file: string }
  | {
      readonly kind: 'url';
      readonly url: string;
      readonly refreshSeconds: number;
      /** After decompression. */
      readonly maxBytes: number;
    };

export interface Feed extends Place {
  readonly id: string;
  readonly status: ListedStatus;
  readonly format: Format;
  readonly source: Source;
  readonly licence: string;
  readonly homepage: string | null;
  /** A feed with fewer names is not accepted. */
  readonly smallest: number;
  /** Names that it is wrong about. */
  readonly except: readonly string[];
  /** Whether names of well-known owners are left out though the status may be said of them. */
  readonly isSparing: boolean;
}

/** The bundled feeds. */
export const ownFeedsFile = fileURLToPath(new URL('./feeds.json', import.meta.url));

const validate = compiledWhenUsed(FeedsFile);

/** Reads a feeds file; throws an `Error` that names the file and what is wrong in it. */
export async function readFeeds(file: string): Promise<Feed[]> {
  const wrong = (what: string) => new Error(`The feeds file ${file}: ${what}`);
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw wrong((error as Error).message);
  }
  if (!validate(value)) throw wrong(sentenceFor(validate.errors?.[0] as never, 'body'));
  const { feeds } = value as Static<typeof FeedsFile>;
  const ids = new Set<string>();
  return feeds.map((declared) => {
    if (ids.has(declared.id)) throw wrong(`two feeds are called "${declared.id}".`);
    ids.add(declared.id);
    try {
      return toFeed(declared, path.dirname(file));
    } catch (error) {
      throw wrong(`the feed "${declared.id}" ${(error as Error).message}.`);
    }
  });
}

const refreshSetting = duration({ name: '', meaning: '', fallback: '1d', minSeconds: 300 });
const sizeSetting = size({ name: '', meaning: '', fallback: '64MiB', minBytes: 1024, maxBytes: 2 ** 30 });

function toFeed(declared: Static<typeof Declaration>, folder: string): Feed {
  const { id, status, format, licence, homepage = null, smallest = 1, path: names, field, where } = declared;
  const { except = [], sparing: isSparing = false } = declared;
  return {
    ...{ id, status, format, licence, homepage, smallest, source: toSource(declared, folder) },
    ...{ except, isSparing },
    ...(where === undefined ? {} : { where }),
    ...(names === undefined ? {} : { path: names }),
    ...(field === undefined ? {} : { field }),
  };
}

function toSource(declared: Static<typeof Declaration>, folder: string): Source {
  const { url, package: name, file, member, format, refresh, maxSize } = declared;
  if ((url === undefined ? 0 : 1) + (name === undefined && file === undefined ? 0 : 1) !== 1) {
    throw new Error('needs a "url", or a "package" or a "file", and not both');
  }
  if (format === 'module' && (name === undefined || file !== undefined)) {
    throw new Error('of the format "module" is a "package" without a "file"');
  }
  if (url !== undefined) {
    const refreshSeconds = refresh === undefined ? refreshSetting.fallback : refreshSetting.parse(refresh);
    const maxBytes = maxSize === undefined ? sizeSetting.fallback : sizeSetting.parse(maxSize);
    if (refreshSeconds === undefined)
      throw new Error(`has a "refresh" that is not ${refreshSetting.expected}`);
    if (maxBytes === undefined) throw new Error(`has a "maxSize" that is not ${sizeSetting.expected}`);
    return { kind: 'url', url, refreshSeconds, maxBytes };
  }
  if (name === undefined) return { kind: 'file', file: path.resolve(folder, file ?? '') };
  return { kind: 'package', package: name, ...(file ? { file } : {}), ...(member ? { member } : {}) };
}
