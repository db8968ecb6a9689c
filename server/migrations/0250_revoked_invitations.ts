import { sql } from 'kysely';
import type { Migration } from '#core/migrate.ts';

/** What is taken back is `revoked`, as keys and sessions are. */
export const revokedInvitations: Migration = {
  name: '0250_revoked_invitations',
  async up(tx) {
    await sql`update audit_log set action = 'invitation.revoked' where action = 'invitation.withdrawn'`.execute(
      tx,
    );
  },
};
