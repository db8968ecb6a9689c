import { migrate } from '#core/migrate.ts';
import { migrations } from '../migrations/index.ts';
import { readConfig } from '../platform/config.ts';
import { openDatabase } from '../platform/engines.ts';
import { createLog } from '../platform/log.ts';
import type { Command } from './command.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Apply database migrations. Safe to run concurrently and while the server is running.',
  options: {},
  async run(_values, environment) {
    const config = readConfig(environment);
    const { log } = createLog({ level: 'warn', format: config.logFormat });
    const db = await openDatabase(config, log);
    try {
      const names = await migrate(db, migrations, { say: (text) => process.stderr.write(`${text}\n`) });
      for (const name of names) process.stdout.write(`applied ${name}\n`);
      if (names.length === 0) process.stdout.write('The database is up to date.\n');
    } finally {
      await db.close();
    }
    return 0;
  },
};
