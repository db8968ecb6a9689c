import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { listBuiltFiles, sendBuiltFile } from '#http/built-files.ts';
import { notFound } from '#http/errors.ts';

/** Where `npm start` builds the dashboard. */
const dashboardFolder = fileURLToPath(new URL('../../dashboard/dist', import.meta.url));

/** No script, style or font but ours; data, pictures and sound from us and from `origins`; nobody frames us; forms go nowhere else. */
function pagePolicy(origins: readonly string[]): string {
  const others = origins.map((origin) => ` ${origin}`).join('');
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: blob:${others}`,
    `media-src 'self' blob:${others}`,
    `frame-src 'self'${others}`,
    "font-src 'self'",
    `connect-src 'self'${others}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * The dashboard: the files of the build at their paths, and its page at every other path that a browser navigates to.
 * Without a build there are no such routes.
 */
export function dashboardRoutes(
  folder: string = dashboardFolder,
  /** Of ours, besides the page's own: that of stored files. */
  origins: () => readonly string[] = () => [],
): FastifyPluginAsync {
  return async (app) => {
    const assets = await listBuiltFiles(folder);
    const page = assets.get('/index.html');
    if (!page) return;
    const config = { public: true } as const;

    const sendPage = (request: FastifyRequest, reply: FastifyReply) => {
      reply.header('content-security-policy', pagePolicy(origins()));
      return sendBuiltFile(request, reply, page);
    };
    app.get('/', { config }, sendPage);
    app.get('/*', { config }, (request, reply) => {
      const [pathname = ''] = request.url.split('?', 1);
      const asset = assets.get(pathname);
      if (asset) return asset === page ? sendPage(request, reply) : sendBuiltFile(request, reply, asset);
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
