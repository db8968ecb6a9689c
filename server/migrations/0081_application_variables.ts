import type { Migration } from '#core/migrate.ts';

/** Variables of an application are read by its id alone. */
export const applicationVariables: Migration = {
  name: '0081_application_variables',
  async up(tx) {
    await tx.schema
      .createIndex('env_vars_application')
      .on('env_vars')
      .columns(['application_id', 'key', 'environment_id'])
      .execute();
  },
};
