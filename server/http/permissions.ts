import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { type Auth, type Role, roleReaches } from '#core/actor.ts';
import { Problem } from '#core/problem.ts';
import { actorTypes } from '#core/scopes.ts';
import type { AccessDeps, Operation } from '#http/access.ts';
import { OneOf, OrganizationPath } from '#http/schema.ts';

const Permissions = Type.Object(
  {
    role: OneOf(['OWNER', 'ADMIN', 'MEMBER']),
    operations: Type.Array(Type.String(), {
      description: 'The `operationId`s of this description that the caller may use in the organization.',
    }),
    applicationOperations: Type.Array(Type.String(), {
      description: 'Operations on resources of applications of the organization, such as their API keys.',
    }),
    products: Type.Array(Type.String(), { description: 'Products that the organization has access to.' }),
  },
  { title: 'Permissions' },
);

/** What pages show and hide by: the rules stand on the routes, and are told from there. */
export function permissionRoutes(deps: Pick<AccessDeps, 'roleIn' | 'hasAccess'>): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/organizations/:organizationId/permissions',
      {
        config: { scope: 'platform:organizations:read', actors: actorTypes, role: 'MEMBER' },
        schema: {
          operationId: 'getPermissions',
          summary: 'List your permissions in an organization',
          tags: ['Organizations'],
          params: OrganizationPath,
          response: { 200: Permissions },
        },
      },
      async ({ auth, organizationId }) => {
        const role = await deps.roleIn(auth, organizationId, { whileDeleted: false });
        // It was seen when the access was checked; the membership may have ended since.
        if (!role) throw new Problem('not_found', 'No organization with this id is visible to this token.');
        const access = new Map<string, boolean>();
        for (const { product } of app.operations) {
          if (product !== undefined && !access.has(product))
            access.set(product, await deps.hasAccess(organizationId, product));
        }
        const usable = (level: 'organization' | 'application') => {
          const names = app.operations
            .filter((operation) => mayUse(auth, role, operation, level))
            .filter(({ product }) => product === undefined || access.get(product))
            .map(({ operationId }) => operationId);
          return [...new Set(names)].sort();
        };
        const products = [...access.keys()].filter((product) => access.get(product));
        return {
          role,
          operations: usable('organization'),
          applicationOperations: usable('application'),
          products: products.sort(),
        };
      },
    );
  };
}

function mayUse(
  auth: Auth,
  role: Role,
  operation: Operation,
  level: 'organization' | 'application',
): boolean {
  return (
    operation.actors.includes(auth.actor.type) &&
    auth.scopes.has(operation.scope) &&
    operation.role !== undefined &&
    roleReaches(role, operation.role[level])
  );
}
