import type { Migration } from '#core/migrate.ts';

/** When functions are called by schedule, and what came of it. */
export const schedules: Migration = {
  name: '0123_schedules',
  async up(tx, { id, text: textType, integer }) {
    const { schema } = tx;
    const text = textType as 'text';
    // 1: one of its functions has a schedule.
    await schema.alterTable('deployments').addColumn('scheduled', integer).execute();
    await schema.createIndex('deployments_scheduled').on('deployments').column('scheduled').execute();
    await schema
      .createTable('schedules')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('application_id', id, (c) => c.notNull().references('applications.id').onDelete('cascade'))
      .addColumn('environment_id', id, (c) => c.notNull().references('environments.id').onDelete('cascade'))
      .addColumn('function_name', text, (c) => c.notNull())
      .addColumn('schedule', text, (c) => c.notNull())
      .addColumn('deployment_id', id, (c) => c.notNull())
      .addColumn('next_at', integer)
      // The node that calls it has it until then.
      .addColumn('lease', text)
      .addColumn('leased_until', integer)
      // When a live deployment was last seen to have it.
      .addColumn('seen_at', integer, (c) => c.notNull())
      .addUniqueConstraint('schedules_key', ['environment_id', 'function_name'])
      .execute();
    await schema.createIndex('schedules_application').on('schedules').column('application_id').execute();
    await schema
      .createTable('schedule_runs')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('schedule_id', id, (c) => c.notNull().references('schedules.id').onDelete('cascade'))
      .addColumn('application_id', id, (c) => c.notNull())
      .addColumn('deployment_id', id, (c) => c.notNull())
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('due_at', integer, (c) => c.notNull())
      .addColumn('started_at', integer)
      .addColumn('finished_at', integer)
      .addColumn('response_status', integer)
      .addColumn('error', text)
      .execute();
    await schema
      .createIndex('schedule_runs_application')
      .on('schedule_runs')
      .columns(['application_id', 'id'])
      .execute();
    await schema
      .createIndex('schedule_runs_schedule')
      .on('schedule_runs')
      .columns(['schedule_id', 'id'])
      .execute();
  },
};
