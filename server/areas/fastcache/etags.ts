import type { IncomingHttpHeaders } from 'node:http';
import type { Precondition } from '#core/cache.ts';
import { Problem } from '#core/problem.ts';

/** Entity tags are strong (RFC 9110, 8.8.3): each write gives the item a new one. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/** Undefined when neither is given. */
export function readPrecondition(
  ifMatch: string | undefined,
  ifNoneMatch: string | undefined,
): Precondition | undefined {
  if (ifMatch === undefined && ifNoneMatch === undefined) return undefined;
  return {
    match: readTags(ifMatch, 'If-Match', strong),
    noneMatch: readTags(ifNoneMatch, 'If-None-Match', weak),
  };
}

export function preconditionOf(headers: IncomingHttpHeaders): Precondition | undefined {
  return readPrecondition(headers['if-match'], headers['if-none-match']);
}

/** A weak tag is never what If-Match asks for, and as good as a strong one to If-None-Match (RFC 9110, 13.1). */
const strong = /^"([^"]*)"$/;
const weak = /^(?:W\/)?"([^"]*)"$/;

const tagList = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:\s*,\s*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*$/;
const maxLength = 4096;

function readTags(text: string | undefined, name: string, comparable: RegExp): Precondition['match'] {
  if (text === undefined) return undefined;
  const trimmed = text.trim();
  if (trimmed === '*') return 'any';
  if (trimmed.length > maxLength || !tagList.test(trimmed)) {
    throw new Problem('invalid_request', `${name} must be * or a list of entity tags such as "1x2y3z".`);
  }
  // A comma inside a tag is none of ours; the pieces then match nothing.
  return trimmed.split(',').flatMap((tag) => versionOf(comparable.exec(tag.trim())?.[1]));
}

/** Empty for a tag that we never gave out. */
function versionOf(opaque: string | undefined): number[] {
  const version = Number(opaque);
  return Number.isSafeInteger(version) && String(version) === opaque ? [version] : [];
}
