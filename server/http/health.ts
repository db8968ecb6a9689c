import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { Problem } from '#core/problem.ts';

/** Something that the server cannot do without. */
export interface Dependency {
  name: string;
  /** Throws while it is away. `degraded`: only part of what it is for. */
  check: () => Promise<unknown>;
}

/** `/healthz`: the process answers. `/readyz`: what it depends on answers too, so that traffic may be sent here. */
export function healthRoutes({
  dependencies,
}: {
  dependencies: readonly Dependency[];
}): FastifyPluginAsyncTypebox {
  const Health = Type.Object({ status: Type.String() }, { title: 'Health' });
  return async (app) => {
    app.get(
      '/healthz',
      {
        config: { public: true },
        schema: {
          operationId: 'getHealth',
          summary: 'Check whether the process is alive',
          tags: ['Health'],
          response: { 200: Health },
        },
      },
      async () => ({ status: 'ok' }),
    );
    app.get(
      '/readyz',
      {
        config: { public: true },
        schema: {
          operationId: 'getReadiness',
          summary: 'Check whether the server and its dependencies are ready',
          tags: ['Health'],
          response: { 200: Health },
        },
      },
      async () => {
        if (app.lifecycle.draining) {
          const sentence = 'The server is being stopped.';
          throw new Problem('unavailable', sentence, { retryAfterSeconds: 2 });
        }
        let status = 'ready';
        for (const { name, check } of dependencies) {
          const found = await check().catch((cause: unknown) => {
            throw new Problem('unavailable', `The ${name} cannot be reached just now.`, {
              cause,
              retryAfterSeconds: 2,
            });
          });
          if (found === 'degraded') status = 'degraded';
        }
        return { status };
      },
    );
  };
}
