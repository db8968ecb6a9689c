import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { FastifyPluginAsync } from 'fastify';
import { type BuiltFile, listBuiltFiles, readBuiltFile, sendBuiltFile } from '#http/built-files.ts';
import { notFound } from '#http/errors.ts';

/** Where `npm start` builds the manual. */
const manualFolder = fileURLToPath(new URL('../../manual/dist', import.meta.url));

/**
 * The manual under `/manual`, made of `docs/` and so for the version that runs. `/manual/storage` is the page `storage.html`.
 * Without a build there are no such routes.
 */
export function manualRoutes(folder: string = manualFolder): FastifyPluginAsync {
  return async (app) => {
    const files = await listBuiltFiles(folder);
    const missing = files.get('/404.html');
    if (!missing) return;
    const policies = new Map<BuiltFile, Promise<string>>();
    const policyOf = (page: BuiltFile) => {
      const policy = policies.get(page) ?? readBuiltFile(page).then((html) => pagePolicy(html.toString()));
      policies.set(page, policy);
      return policy;
    };
    const config = { public: true } as const;

    app.get('/manual', { config }, (_request, reply) => reply.redirect('/manual/', 308));
    app.get('/manual/*', { config }, async (request, reply) => {
      const [pathname = ''] = request.url.slice('/manual'.length).split('?', 1);
      const name = pathname.endsWith('/') ? `${pathname}index` : pathname;
      const found = files.get(name) ?? files.get(`${name}.html`);
      if (!found && !request.headers.accept?.includes('text/html')) throw notFound(request);
      const page = found ?? missing;
      if (!found) reply.code(404);
      if (page.type.startsWith('text/html')) reply.header('content-security-policy', await policyOf(page));
      return sendBuiltFile(request, reply, page);
    });
  };
}

/** Nothing but our own files, and the inline scripts and style attributes that stand in this page, by their hash. */
function pagePolicy(html: string): string {
  const scripts = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)];
  const styles = [...html.matchAll(/\sstyle="([^"]*)"/g)];
  const hashes = (found: RegExpExecArray[]) =>
    [...new Set(found.map(([, content = '']) => content))].map(
      (content) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`,
    );
  return [
    "default-src 'none'",
    ["script-src 'self'", ...hashes(scripts)].join(' '),
    ["style-src 'self' 'unsafe-hashes'", ...hashes(styles)].join(' '),
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
