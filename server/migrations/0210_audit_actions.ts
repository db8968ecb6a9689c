import { sql } from 'kysely';
import type { Migration } from '#core/migrate.ts';

/** One verb for each thing: what was changed is `updated`, what was added `created`, what was removed `deleted`. */
const renamed = [
  ['user.changed', 'user.updated'],
  ['user.profile_changed', 'user.profile_updated'],
  ['user.email_changed', 'user.email_updated'],
  ['password.changed', 'password.updated'],
  ['passkey.changed', 'passkey.updated'],
  ['two_factor.recovery_codes_changed', 'two_factor.recovery_codes_updated'],
  ['organization.changed', 'organization.updated'],
  ['organization.image_changed', 'organization.image_updated'],
  ['organization.image_removed', 'organization.image_deleted'],
  ['member.role_changed', 'member.role_updated'],
  ['entitlement.changed', 'entitlement.updated'],
  ['subscription.changed', 'subscription.updated'],
  ['application.changed', 'application.updated'],
  ['application.image_changed', 'application.image_updated'],
  ['application.image_removed', 'application.image_deleted'],
  ['application.hostname_changed', 'application.hostname_updated'],
  ['environment.changed', 'environment.updated'],
  ['environment.protection_changed', 'environment.protection_updated'],
  ['instance.settings_changed', 'instance.settings_updated'],
  ['oauth_client.changed', 'oauth_client.updated'],
  ['entitlement.removed', 'entitlement.deleted'],
  ['domain.added', 'domain.created'],
];

export const auditActions: Migration = {
  name: '0210_audit_actions',
  async up(tx) {
    const before = renamed.map(([old]) => old);
    const names = renamed.map(([old, now]) => sql`when ${old} then ${now}`);
    // One pass over the table, however many names there are.
    await sql`update audit_log set action = case action ${sql.join(names, sql` `)} end
      where action in (${sql.join(before)})`.execute(tx);
  },
};
