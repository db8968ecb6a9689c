import type { Auth, Role } from '#core/actor.ts';
import { Cached } from '#core/cached.ts';
import type { Db } from '#core/db.ts';
import { andThen, type Maybe } from '#core/maybe.ts';
import { Problem } from '#core/problem.ts';
import { type Standing, standingOf } from './store.ts';

/** Who may see which account, answered from memory where it can be. */
export interface Tenancy {
  /**
   * Null when the actor may not even know of the organization, or when there is none. Throws `Problem('forbidden')` for
   * members of an organization that an operator has suspended.
   */
  roleIn(auth: Auth, organizationId: string, options?: { whileDeleted: boolean }): Maybe<Role | null>;
  /** The organization that owns the application; null when there is none, or the application is deleted. */
  organizationOf(applicationId: string, options?: { whileDeleted: boolean }): Maybe<string | null>;
}

/** `ownerOf` reads an application's owner from the database. */
export function tenancy(deps: {
  db: Db;
  max: number;
  ownerOf: (applicationId: string) => Promise<{ organizationId: string; deleted: boolean } | null>;
}): Tenancy {
  const { db, max } = deps;
  const standings = new Cached<Standing | null>({
    notifications: db.notifications,
    max,
    topics: ['membership'],
    sweepingTopics: ['organization'],
    load(key) {
      const [userId = '', organizationId = ''] = key.split(':');
      return standingOf(db, userId, organizationId);
    },
  });
  const owners = new Cached<{ organizationId: string; deleted: boolean } | null>({
    notifications: db.notifications,
    max,
    topics: ['application', 'application_profile'],
    sweepingTopics: ['organization'],
    load: deps.ownerOf,
  });
  return {
    roleIn({ actor }, organizationId, { whileDeleted } = { whileDeleted: false }) {
      // Roles are for people. What a machine may do in its own account, its scopes decide; a suspended or deleted
      // organization has no machines: their keys do not work.
      if (actor.type !== 'user') return actor.organizationId === organizationId ? 'OWNER' : null;
      return andThen(standings.get(`${actor.id}:${organizationId}`), (standing) => {
        if (!standing || (standing.deleted && !whileDeleted)) return null;
        if (!standing.suspended) return standing.role;
        throw new Problem(
          'forbidden',
          'This organization is suspended. Contact the operator of the instance.',
        );
      });
    },
    organizationOf: (applicationId, { whileDeleted } = { whileDeleted: false }) =>
      andThen(owners.get(applicationId), (owner) =>
        owner && (whileDeleted || !owner.deleted) ? owner.organizationId : null,
      ),
  };
}
