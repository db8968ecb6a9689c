import { createKey, noOrigin } from '#accounts/api-keys/service.ts';
import { systemSource } from '#accounts/audit-log/service.ts';
import { announceMembership } from '#accounts/organizations/service.ts';
import { createUser } from '#accounts/users/service.ts';
import type { Role } from '#core/actor.ts';
import { newId } from '#core/ids.ts';
import { scopesFor } from '#core/scopes.ts';
import { fetchToken, type Instance } from './instance.ts';

export interface Person {
  id: string;
  email: string;
  /** For `call(..., { as: person })`. */
  token: string;
}

/** Another user of the instance, with a key of every scope that a user may hold, and a token of it. */
export async function addPerson(instance: Instance, email: string): Promise<Person> {
  const { db, vault, clock } = instance.platform;
  const { user, key } = await db.write(async (tx) => {
    const made = await createUser(tx, {
      email,
      name: email,
      passwordHash: null,
      isOperator: false,
      now: clock.now(),
    });
    const actor = {
      type: 'user',
      id: made.id,
      organizationId: null,
      applicationId: null,
      environmentId: null,
    } as const;
    const wanted = {
      name: 'test',
      actor,
      origin: { ...noOrigin, userId: made.id },
      scopes: scopesFor('user'),
      expiresAt: null,
      allowedAddresses: [],
    };
    const created = await createKey(tx, { db, vault, clock }, systemSource, wanted);
    return { user: made, key: { id: created.key.id, secret: created.secret.secret } };
  });
  return { id: user.id, email, token: await fetchToken(instance.url, key) };
}

/** Makes the person a member of the instance's organization, or changes the role. */
export async function setRole(instance: Instance, person: { id: string }, role: Role): Promise<void> {
  const { db, clock } = instance.platform;
  const { id: organization_id } = instance.bootstrapped.organization;
  await db.write(async (tx) => {
    const row = { id: newId(), organization_id, user_id: person.id, role, created_at: clock.now() };
    await tx
      .insertInto('memberships')
      .values(row)
      .onConflict((conflict) => conflict.columns(['user_id', 'organization_id']).doUpdateSet({ role }))
      .execute();
    announceMembership(tx, person.id, organization_id);
  });
}
