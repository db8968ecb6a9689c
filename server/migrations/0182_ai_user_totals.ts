import { sql } from 'kysely';
import type { Migration } from '#core/migrate.ts';

const sums = ['requests', 'successes', 'errors', 'input_tokens', 'output_tokens', 'nanos', 'latency_ms'];

/** The sums of each user over all applications (`*`): one row a bucket in place of one for each application. */
export const aiUserTotals: Migration = {
  name: '0182_ai_user_totals',
  async up(tx) {
    const names = sql.raw(sums.join(', '));
    const added = sql.raw(sums.map((column) => `sum(${column})`).join(', '));
    await sql`insert into ai_user_rollups (organization_id, size, bucket, application_id, user_id, ${names})
      select organization_id, size, bucket, '*', user_id, ${added} from ai_user_rollups
      group by organization_id, size, bucket, user_id`.execute(tx);
  },
};
