import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '#http/errors.ts';

/** Where `npm start` builds the dashboard. */
const dashboardFolder = fileURLToPath(new URL('../../dashboard/dist', import.meta.url));

/** No script, style or font but ours; data and pictures from us and from `origins`; nobody frames us; forms go nowhere else. */
function pagePolicy(origins: readonly string[]): string {
  const others = origins.map((origin) => ` ${origin}`).join('');
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: blob:${others}`,
    `media-src 'self'${others}`,
    `frame-src 'self'${others}`,
    "font-src 'self'",
    `connect-src 'self'${others}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
};

interface Asset {
  type: string;
  etag: string;
  /** Its name changes with its content. */
  isImmutable: boolean;
  /** By content coding; '' is the file as it is. */
  bodies: Map<string, Buffer>;
}

/**
 * The dashboard: the files of the build at their paths, and its page at every other path that a browser navigates to.
 * All of it is read once, so a request never names a file. Without a build there are no such routes.
 */
export function dashboardRoutes(
  folder: string = dashboardFolder,
  /** Of ours, besides the page's own: that of stored files. */
  origins: () => readonly string[] = () => [],
): FastifyPluginAsync {
  return async (app) => {
    const assets = await readAssets(folder);
    const page = assets.get('/index.html');
    if (!page) return;
    const config = { public: true } as const;

    const sendPage = (request: FastifyRequest, reply: FastifyReply) => {
      reply.header('content-security-policy', pagePolicy(origins()));
      return send(request, reply, page);
    };
    app.get('/', { config }, sendPage);
    app.get('/*', { config }, (request, reply) => {
      const [pathname = ''] = request.url.split('?', 1);
      const asset = assets.get(pathname);
      if (asset) return asset === page ? sendPage(request, reply) : send(request, reply, asset);
      if (isNavigation(request) && !isOfApi(app, pathname)) return sendPage(request, reply);
      throw notFound(request);
    });
  };
}

/** Someone opens an address in a browser; programs get the API's answers. */
function isNavigation({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') === true;
}

/** What the API answers to other methods is no page. */
function isOfApi(app: FastifyInstance, pathname: string): boolean {
  return app.hasRoute({ method: 'POST', url: pathname });
}

function send(request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  const { type, etag, isImmutable, bodies } = asset;
  reply
    .header('etag', etag)
    .header('vary', 'accept-encoding')
    .header('cache-control', isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (type.startsWith('text/html'))
    reply
      .header('cross-origin-opener-policy', 'same-origin')
      .header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=()');
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  const coding = codingFor(request.headers['accept-encoding'], bodies);
  if (coding !== '') reply.header('content-encoding', coding);
  return reply.type(type).send(bodies.get(coding));
}

/** The best coding that the client takes (RFC 9110, 12.5.3); a weight of 0 refuses one. */
function codingFor(accepted: string | undefined, bodies: ReadonlyMap<string, Buffer>): string {
  const takes = (coding: string) =>
    accepted
      ?.split(',')
      .some((one) => one.trim().split(';', 1)[0] === coding && !/;\s*q=0(\.0*)?\s*$/.test(one)) === true;
  return ['br', 'gzip'].find((coding) => bodies.has(coding) && takes(coding)) ?? '';
}

const codings: Record<string, string> = { '.br': 'br', '.gz': 'gzip' };

/** By path, with a slash before it. Empty where nothing was built. */
async function readAssets(folder: string): Promise<Map<string, Asset>> {
  const assets = new Map<string, Asset>();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries.filter((each) => each.isFile())) {
    const file = path.join(entry.parentPath, entry.name);
    const coding = codings[path.extname(file)] ?? '';
    const plain = coding === '' ? file : file.slice(0, -path.extname(file).length);
    const type = types[path.extname(plain)];
    if (type === undefined) continue;
    const at = `/${path.relative(folder, plain).split(path.sep).join('/')}`;
    const asset = assets.get(at) ?? {
      ...{ type, etag: '', bodies: new Map<string, Buffer>() },
      isImmutable: at.startsWith('/assets/'),
    };
    const body = await readFile(file);
    asset.bodies.set(coding, body);
    if (coding === '')
      asset.etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    assets.set(at, asset);
  }
  return assets;
}
