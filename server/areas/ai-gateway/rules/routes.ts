import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requestSource } from '#accounts/audit-log/service.ts';
import { actorTypes } from '#core/scopes.ts';
import { OrganizationPath } from '#http/schema.ts';
import {
  AliasList,
  BudgetList,
  PolicyAnswer,
  PolicyQuery,
  PutAliases,
  PutBudgets,
  PutPolicy,
} from './schema.ts';
import {
  budgetsOf,
  demandOwn,
  demandSound,
  type RulesDeps,
  replaceBudgets,
  replacePolicy,
  setAliases,
  toPolicy,
} from './service.ts';
import { listAliases, listPolicies } from './store.ts';

const common = { actors: actorTypes, product: 'ai-gateway' } as const;
const budgetReaders = { ...common, scope: 'network:ai_gateway:budgets:read', role: 'MEMBER' } as const;
const budgetWriters = { ...common, scope: 'network:ai_gateway:budgets:write', role: 'ADMIN' } as const;
const policyReaders = { ...common, scope: 'network:ai_gateway:policies:read', role: 'MEMBER' } as const;
const policyWriters = { ...common, scope: 'network:ai_gateway:policies:write', role: 'ADMIN' } as const;
const tags = ['AI gateway'];
const base = '/organizations/:organizationId/ai-gateway';
const bodyLimit = 512 * 1024;

export function rulesRoutes(deps: RulesDeps & { settled(): Promise<void> }): FastifyPluginAsyncTypebox {
  const { db, settled } = deps;

  return async (app) => {
    app.get(
      `${base}/budgets`,
      {
        config: budgetReaders,
        schema: {
          operationId: 'listAiBudgets',
          summary: 'List budgets with their usage',
          tags,
          params: OrganizationPath,
          response: { 200: BudgetList },
        },
      },
      async ({ organizationId }, reply) => {
        await settled();
        const { items, etag } = await budgetsOf(deps, organizationId);
        reply.header('etag', etag);
        return { items };
      },
    );

    app.put(
      `${base}/budgets`,
      {
        bodyLimit,
        config: { ...budgetWriters, errors: [412] },
        schema: {
          operationId: 'replaceAiBudgets',
          summary: 'Replace the budgets',
          description:
            'A budget with the same subject and period keeps its id and usage. With `If-Match`, the request succeeds only if the set has not changed.',
          tags,
          params: OrganizationPath,
          body: PutBudgets,
          response: { 200: BudgetList },
        },
      },
      async (request, reply) => {
        const { organizationId, body } = request;
        await demandOwn(deps, organizationId, body.budgets);
        const ifMatch = request.headers['if-match'];
        await db.write((tx) =>
          replaceBudgets(tx, deps, requestSource(request), organizationId, body.budgets, ifMatch),
        );
        const { items, etag } = await budgetsOf(deps, organizationId);
        reply.header('etag', etag);
        return { items };
      },
    );

    app.get(
      `${base}/policies`,
      {
        config: policyReaders,
        schema: {
          operationId: 'getAiPolicy',
          summary: 'Get the policy of the organization, an application or an API key',
          tags,
          params: OrganizationPath,
          querystring: PolicyQuery,
          response: { 200: PolicyAnswer },
        },
      },
      async ({ organizationId, query }) => {
        const { applicationId = '', apiKeyId = '' } = query;
        const rows = await listPolicies(db, organizationId);
        const row = rows.find(
          (one) =>
            one.application_id === applicationId.toLowerCase() && one.api_key_id === apiKeyId.toLowerCase(),
        );
        return { policy: row ? toPolicy(row) : null };
      },
    );

    app.put(
      `${base}/policies`,
      {
        bodyLimit,
        config: policyWriters,
        schema: {
          operationId: 'replaceAiPolicy',
          summary: 'Replace a policy',
          tags,
          params: OrganizationPath,
          body: PutPolicy,
          response: { 200: PolicyAnswer },
        },
      },
      async (request) => {
        const { organizationId, body } = request;
        demandSound(body);
        await demandOwn(deps, organizationId, [body]);
        const source = requestSource(request);
        return {
          policy: toPolicy(await db.write((tx) => replacePolicy(tx, deps, source, organizationId, body))),
        };
      },
    );

    app.get(
      `${base}/aliases`,
      {
        config: policyReaders,
        schema: {
          operationId: 'listAiAliases',
          summary: 'List the aliases of models',
          tags,
          params: OrganizationPath,
          response: { 200: AliasList },
        },
      },
      async ({ organizationId }) => aliasesOf(organizationId),
    );

    app.put(
      `${base}/aliases`,
      {
        bodyLimit,
        config: policyWriters,
        schema: {
          operationId: 'replaceAiAliases',
          summary: 'Replace the aliases of models',
          tags,
          params: OrganizationPath,
          body: PutAliases,
          response: { 200: AliasList },
        },
      },
      async (request) => {
        const { organizationId, body } = request;
        await db.write((tx) => setAliases(tx, requestSource(request), organizationId, body.aliases));
        return aliasesOf(organizationId);
      },
    );
  };

  async function aliasesOf(organizationId: string) {
    const rows = await listAliases(db, organizationId);
    return { aliases: rows.map(({ alias, models }) => ({ alias, models: JSON.parse(models) as string[] })) };
  }
}
