import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Instances } from '#areas/functions/service.ts';
import { isoTime } from '#core/clock.ts';
import { Nullable, OrganizationPath, Time } from '#http/schema.ts';
import type { BuildMinutes } from './build-minutes.ts';

export interface UsageDeps {
  buildMinutes: BuildMinutes;
  /** Null where this instance runs no code of users. */
  instances: Instances | null;
  domainsOf(organizationId: string): Promise<{ used: number; limit: number }>;
  /** Of one organization on a node. */
  limits: { instances: number; memoryBytes: number | null };
}

const Amount = (description: string) => Type.Number({ minimum: 0, description });
const Limit = (description: string) => Nullable(Type.Number({ minimum: 0 }), { description });

const DeploymentUsage = Type.Object(
  {
    buildMinutes: Type.Object({
      used: Amount('Minutes that builds took in this month (UTC), to a tenth.'),
      limit: Limit('Null without a limit.'),
      resetsAt: Time,
    }),
    instances: Type.Object({
      used: Amount('Processes of functions on the node that responded.'),
      limit: Type.Number({ minimum: 0 }),
    }),
    memoryBytes: Type.Object({
      used: Amount('Memory that those processes are configured with.'),
      limit: Limit('Null without a limit.'),
    }),
    domains: Type.Object({
      used: Amount('Custom domains of all applications.'),
      limit: Type.Number({ minimum: 0 }),
    }),
  },
  { title: 'DeploymentUsage' },
);

/** What an organization uses of what the operator allows it. */
export function usageRoutes(deps: UsageDeps): FastifyPluginAsyncTypebox {
  const { buildMinutes, instances, domainsOf, limits } = deps;
  return async (app) => {
    app.get(
      '/organizations/:organizationId/deployments/usage',
      {
        config: {
          scope: 'network:deployments:read',
          actors: ['user', 'organization'],
          role: 'MEMBER',
          product: 'deployments',
        },
        schema: {
          operationId: 'getDeploymentUsage',
          summary: 'Get the build minutes, processes and domains of an organization, and their limits',
          description: 'Processes and their memory are those of the node that responds.',
          tags: ['Deployments'],
          params: OrganizationPath,
          response: { 200: DeploymentUsage },
        },
      },
      async ({ organizationId }) => {
        const [{ resetsAt, ...minutes }, domains] = await Promise.all([
          buildMinutes.usageOf(organizationId),
          domainsOf(organizationId),
        ]);
        const running = instances?.usageOf(organizationId) ?? { instances: 0, memoryBytes: 0 };
        return {
          buildMinutes: { ...minutes, resetsAt: isoTime(resetsAt) },
          instances: { used: running.instances, limit: limits.instances },
          memoryBytes: { used: running.memoryBytes, limit: limits.memoryBytes },
          domains,
        };
      },
    );
  };
}
