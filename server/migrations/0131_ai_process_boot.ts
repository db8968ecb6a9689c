import type { Migration } from '#core/migrate.ts';

/** Which start of the machine a process of the AI gateway belongs to: what it wrote last may be gone after another one. */
export const aiProcessBoot: Migration = {
  name: '0131_ai_process_boot',
  async up(tx) {
    await tx.schema.alterTable('ai_processes').addColumn('boot_id', 'text').execute();
  },
};
