import { bootstrapKey } from '#accounts/api-keys/bootstrap.ts';
import { byName, createApplication, labelRules } from '#accounts/applications/service.ts';
import { systemSource } from '#accounts/audit-log/service.ts';
import { createOrganization, ownedByName } from '#accounts/organizations/service.ts';
import { byEmail, createUser, hashPassword } from '#accounts/users/service.ts';
import type { Actor } from '#core/actor.ts';
import type { Platform } from '../platform/platform.ts';

export interface BootstrapKey {
  id: string;
  secret: string;
}

/** As `mainstay-server bootstrap --json` prints it. */
export interface Bootstrapped {
  user: { id: string; email: string };
  organization: { id: string };
  application: { id: string };
  keys: { user: BootstrapKey; organization: BootstrapKey; application: BootstrapKey };
}

/** Prepares an instance: an operator, an organization, an application, a key for each. Leaves alone what is there. */
export async function prepare(
  { db, vault, clock, config }: Platform,
  wanted: { email: string; password: string; organization: string; application: string },
): Promise<Bootstrapped> {
  const { email } = wanted;
  const labels = labelRules({ reserved: config.reservedLabels });
  const known = await byEmail(db, email);
  // Slow on purpose, so not inside the transaction.
  const passwordHash = known ? null : await hashPassword(wanted.password);
  return db.write(
    async (tx) => {
      const now = clock.now();
      const user =
        (await byEmail(tx, email)) ??
        (await createUser(tx, {
          email,
          name: email.split('@')[0] ?? email,
          passwordHash,
          isOperator: true,
          now,
        }));
      const organization =
        (await ownedByName(tx, user.id, wanted.organization)) ??
        (await createOrganization(tx, systemSource, {
          name: wanted.organization,
          ownerId: user.id,
          now,
        }));
      const organizationId = organization.id;
      const application =
        (await byName(tx, organizationId, wanted.application)) ??
        (await createApplication(tx, { db, labels }, systemSource, {
          name: wanted.application,
          organizationId,
          now,
        }));

      const none = { organizationId: null, applicationId: null, environmentId: null };
      const actors = {
        user: { ...none, type: 'user', id: user.id },
        organization: { ...none, type: 'organization', id: organizationId, organizationId },
        application: {
          ...none,
          type: 'application',
          id: application.id,
          organizationId,
          applicationId: application.id,
        },
      } satisfies Record<string, Actor>;
      const deps = { db, vault, clock };
      return {
        user: { id: user.id, email: user.email },
        organization: { id: organizationId },
        application: { id: application.id },
        keys: {
          user: await bootstrapKey(tx, deps, actors.user, user.is_operator === 1),
          organization: await bootstrapKey(tx, deps, actors.organization, false),
          application: await bootstrapKey(tx, deps, actors.application, false),
        },
      };
    },
    { queue: 'bootstrap' },
  );
}
