import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
};
const codings: Record<string, string> = { '.br': 'br', '.gz': 'gzip' };

/** A file of a build, with its compressed forms. */
export interface BuiltFile {
  type: string;
  /** Its name changes with its content. */
  isImmutable: boolean;
  /** Files by content coding; '' is the file as it is. */
  files: Map<string, string>;
  /** What was read of them, kept: a build does not change while it is served. */
  bodies: Map<string, Promise<Buffer>>;
}

/**
 * The files of a build by their path in it, with a slash before it; empty where nothing was built. A request looks a name up
 * in this table, so it never names a file.
 */
export async function listBuiltFiles(folder: string): Promise<Map<string, BuiltFile>> {
  const table = new Map<string, BuiltFile>();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries.filter((each) => each.isFile())) {
    const file = path.join(entry.parentPath, entry.name);
    const coding = codings[path.extname(file)] ?? '';
    const plain = coding === '' ? file : file.slice(0, -path.extname(file).length);
    const type = types[path.extname(plain)];
    if (type === undefined) continue;
    const at = `/${path.relative(folder, plain).split(path.sep).join('/')}`;
    const built = table.get(at) ?? {
      ...{ type, files: new Map<string, string>(), bodies: new Map<string, Promise<Buffer>>() },
      isImmutable: at.startsWith('/assets/'),
    };
    built.files.set(coding, file);
    table.set(at, built);
  }
  return table;
}

/** The content of a built file in a content coding that it has. */
export function readBuiltFile(built: BuiltFile, coding = ''): Promise<Buffer> {
  let body = built.bodies.get(coding);
  if (!body) {
    body = readFile(built.files.get(coding) ?? '');
    body.catch(() => built.bodies.delete(coding));
    built.bodies.set(coding, body);
  }
  return body;
}

/** Answers with a built file, in the best coding that the client takes, or with 304 where the client has it. */
export async function sendBuiltFile(
  request: FastifyRequest,
  reply: FastifyReply,
  built: BuiltFile,
): Promise<FastifyReply> {
  const plain = await readBuiltFile(built);
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  reply
    .header('etag', etag)
    .header('vary', 'accept-encoding')
    .header('cache-control', built.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (built.type.startsWith('text/html'))
    reply
      .header('cross-origin-opener-policy', 'same-origin')
      .header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=()');
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  const coding = codingFor(request.headers['accept-encoding'], built.files);
  if (coding !== '') reply.header('content-encoding', coding);
  return reply.type(built.type).send(await readBuiltFile(built, coding));
}

/** The best coding that the client takes (RFC 9110, 12.5.3); a weight of 0 refuses one. */
function codingFor(accepted: string | undefined, files: ReadonlyMap<string, string>): string {
  const takes = (coding: string) =>
    accepted
      ?.split(',')
      .some((one) => one.trim().split(';', 1)[0] === coding && !/;\s*q=0(\.0*)?\s*$/.test(one)) === true;
  return ['br', 'gzip'].find((coding) => files.has(coding) && takes(coding)) ?? '';
}
