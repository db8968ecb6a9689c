import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requestSource } from '#accounts/audit-log/service.ts';
import type { Instance } from '#accounts/instance/service.ts';
import { type Clock, isoTime } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { operatorReads, operatorWrites, operatorTags as tags } from '#http/operators.ts';
import { ChangeSettings, Overview, Settings } from './schema.ts';
import { countApiKeys, countOrganizations, countUsers } from './store.ts';

export function adminRoutes(deps: {
  db: Db;
  clock: Clock;
  instance: Instance;
  version: string;
  hasMail: boolean;
}): FastifyPluginAsyncTypebox {
  const { db, clock, instance, version, hasMail } = deps;
  const startedAt = isoTime(clock.now());

  return async (app) => {
    app.get(
      '/admin/overview',
      {
        config: operatorReads,
        schema: {
          operationId: 'getInstanceOverview',
          summary: 'Get the state of the instance',
          tags,
          response: { 200: Overview },
        },
      },
      async () => {
        const started = performance.now();
        const ready = await db.ping().then(
          () => true,
          () => false,
        );
        const everyone = { search: undefined, waitlist: false };
        const [users, waitlist, organizations, apiKeys] = await Promise.all([
          countUsers(db, everyone),
          countUsers(db, { ...everyone, waitlist: true }),
          countOrganizations(db, undefined),
          countApiKeys(db),
        ]);
        return {
          version,
          node: process.versions.node,
          startedAt,
          database: {
            engine: db.engine,
            ready,
            milliseconds: Math.round((performance.now() - started) * 100) / 100,
          },
          mail: hasMail,
          memoryBytes: process.memoryUsage.rss(),
          ...{ users, waitlist, organizations, apiKeys },
        };
      },
    );

    app.get(
      '/admin/settings',
      {
        config: operatorReads,
        schema: {
          operationId: 'getInstanceSettings',
          summary: 'Get the settings that can change at runtime',
          tags,
          response: { 200: Settings },
        },
      },
      () => instance.settings(),
    );

    app.patch(
      '/admin/settings',
      {
        config: operatorWrites,
        schema: {
          operationId: 'updateInstanceSettings',
          summary: 'Update settings at runtime',
          description: 'Every node applies them within a second.',
          tags,
          body: ChangeSettings,
          response: { 200: Settings },
        },
      },
      (request) => instance.change(request.body, requestSource(request), clock),
    );
  };
}
