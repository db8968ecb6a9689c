import { pino } from 'pino';
import { newId } from '../../server/core/ids.ts';
import { readConfig } from '../../server/platform/config.ts';
import { openPlatform } from '../../server/platform/platform.ts';

/** Fills the database directly: through the API it would take hours. Users get a hundred memberships each. */
export async function addManyOrganizations(
  settings: Record<string, string>,
  wanted: { organizations: number; memberships: number },
): Promise<void> {
  await using platform = await openPlatform(readConfig(settings), pino({ level: 'silent' }));
  const { db } = platform;
  const now = Date.now();
  const batch = 1000;
  const organizationIds: string[] = [];
  for (let done = 0; done < wanted.organizations; done += batch) {
    const rows = Array.from({ length: batch }, (_, at) => ({
      id: newId(),
      name: `Many ${done + at}`,
      slug: `many-${done + at}`,
      image_url: null,
      suspended_at: null,
      deleted_at: null,
      created_by_user_id: null,
      created_at: now,
      updated_at: now,
    }));
    organizationIds.push(...rows.map((row) => row.id));
    await db.write(async (tx) => void (await tx.insertInto('organizations').values(rows).execute()));
  }
  const each = 100;
  for (let user = 0; user < wanted.memberships / each; user++) {
    const userId = newId();
    await db.write(async (tx) => {
      const times = { created_at: now, updated_at: now };
      const flags = {
        epoch: 0,
        email_verified: 1,
        is_operator: 0,
        has_payment_method: 0,
        two_factor_enabled: 0,
      };
      const nothing = {
        given_name: null,
        family_name: null,
        image_url: null,
        suspended_at: null,
        admitted_at: null,
      };
      const person = {
        id: userId,
        email: `many-${user}@example.com`,
        name: `Many ${user}`,
        ...flags,
        ...nothing,
        ...times,
      };
      await tx.insertInto('users').values(person).execute();
      const rows = Array.from({ length: each }, (_, at) => ({
        id: newId(),
        organization_id: organizationIds[(user * 7919 + at * 613) % organizationIds.length] as string,
        user_id: userId,
        role: 'MEMBER' as const,
        created_at: now,
      }));
      await tx
        .insertInto('memberships')
        .values(rows)
        .onConflict((c) => c.doNothing())
        .execute();
    });
  }
}

/** Applications of one organization, as `POST /applications` would leave them but for their environments. */
export async function addManyApplications(
  settings: Record<string, string>,
  wanted: { organizationId: string; applications: number },
): Promise<void> {
  await using platform = await openPlatform(readConfig(settings), pino({ level: 'silent' }));
  const now = Date.now();
  const batch = 1000;
  for (let done = 0; done < wanted.applications; done += batch) {
    const rows = Array.from({ length: batch }, (_, at) => ({
      id: newId(),
      organization_id: wanted.organizationId,
      name: `Many ${done + at}`,
      slug: `many-${done + at}`,
      image_url: null,
      root_directory: null,
      default_environment_slug: 'production',
      created_by_user_id: null,
      deleted_at: null,
      created_at: now,
      updated_at: now,
    }));
    await platform.db.write(async (tx) => void (await tx.insertInto('applications').values(rows).execute()));
  }
}
