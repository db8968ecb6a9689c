import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Addresses } from '#areas/hostnames/service.ts';
import { type Clock, isoTime } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { Problem } from '#core/problem.ts';
import type { Tickets } from './access/tickets.ts';
import { normalizePath } from './routes/pathname.ts';
import { CreateStickyUrl, StickyUrl } from './schema.ts';
import { nameOfDeployment } from './store.ts';
import { stickyParameter } from './target.ts';

/** Addresses that lead to the same process of a function each time: for state that lives in its memory. */
export function stickyRoutes(deps: {
  db: Db;
  clock: Clock;
  tickets: Tickets;
  addresses: Addresses;
  scheme: string;
}): FastifyPluginAsyncTypebox {
  const { db, clock, tickets, addresses, scheme } = deps;
  return async (app) => {
    app.post(
      '/sticky-sessions/urls',
      {
        config: { scope: 'network:deployments:read', actors: ['deployment', 'function'] },
        schema: {
          operationId: 'createStickySessionUrl',
          summary: 'Create a URL that reaches the same process each time',
          description:
            'For code of a deployment. Requests to URLs with the same key reach the same process while it runs and has capacity.',
          tags: ['Deployments'],
          body: CreateStickyUrl,
          response: { 200: StickyUrl },
        },
      },
      async ({ auth, body }) => {
        const { key, endpoint, method = 'GET', expiresInSeconds = 14_400 } = body;
        const deploymentId = auth.actor.id;
        const name = await nameOfDeployment(db, deploymentId);
        if (name === null) throw new Problem('conflict', 'The deployment answers at no hostname yet.');
        const origin = `${scheme}//${addresses.of(name)}`;
        const url = URL.canParse(endpoint, origin) ? new URL(endpoint, origin) : null;
        const path = url && normalizePath(url.pathname);
        if (!url || !path) throw new Problem('invalid_request', 'endpoint must be a path of the deployment.');
        const expiresAt = clock.now() + expiresInSeconds * 1000;
        const own = new URL(`${url.pathname}${url.search}`, origin);
        own.searchParams.set(
          stickyParameter,
          tickets.make('sticky', { deploymentId, key, method, path }, expiresAt),
        );
        return { url: own.href, expiresAt: isoTime(expiresAt) };
      },
    );
  };
}
