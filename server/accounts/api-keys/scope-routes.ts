import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { scopeArea, scopeTexts } from '#core/scope-texts.ts';
import {
  type ActorType,
  accountActors,
  actorTypes,
  isReadOnly,
  type Scope,
  scopes,
  scopesFor,
} from '#core/scopes.ts';
import type { Operation } from '#http/access.ts';
import { ScopeList } from './schema.ts';

const keyActors = ['user', 'organization', 'application'] as const satisfies ActorType[];

/** What a page shows where somebody chooses the scopes of a key. */
export function scopeRoutes(): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/api-keys/scopes',
      {
        config: { scope: 'platform:api_keys:read', actors: accountActors },
        schema: {
          operationId: 'listApiKeyScopes',
          summary: 'List the scopes that you can grant to keys',
          tags: ['API keys'],
          response: { 200: ScopeList },
        },
      },
      async ({ auth }) => {
        const mine = scopes.filter((scope) => auth.scopes.has(scope));
        const items = mine.map((scope) => ({
          scope,
          area: scopeArea(scope),
          text: scopeTexts[scope],
          actors: holders(scope),
          ...usesOf(scope, app.operations),
          readOnly: isReadOnly(scope),
        }));
        return { items, total: items.length };
      },
    );
  };
}

/** A user's key may carry the operator's scopes when the user holds them. */
function holders(scope: Scope): (typeof keyActors)[number][] {
  return keyActors.filter((actor) => scopesFor(actor, { operator: true }).includes(scope));
}

function isKeyActor(actor: string): boolean {
  return (keyActors as readonly string[]).includes(actor);
}

/** The declarations of the routes know what a scope is good for. */
function usesOf(scope: Scope, operations: readonly Operation[]) {
  const uses = operations.filter((operation) => operation.scope === scope);
  // What only deployments and functions may call is no reason to give a scope to a key of somebody's own.
  const ofKeys = uses.filter(({ actors }) => actors.some((actor) => isKeyActor(actor)));
  const products = new Set((ofKeys.length > 0 ? ofKeys : uses).map(({ product }) => product ?? null));
  const [product = null] = products;
  return {
    usableBy: actorTypes.filter((actor) => uses.some(({ actors }) => actors.includes(actor))),
    product: products.size === 1 ? product : null,
  };
}
