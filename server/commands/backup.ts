import { existsSync } from 'node:fs';
import path from 'node:path';
import { systemClock } from '#core/clock.ts';
import { counted } from '#core/counted.ts';
import { migrationState, refuseNewer } from '#core/migrate.ts';
import { writeBackup } from '../backup/write.ts';
import { migrations } from '../migrations/index.ts';
import { readConfig } from '../platform/config.ts';
import { hasDatabase, openDatabase, openMasterKey } from '../platform/engines.ts';
import { createLog } from '../platform/log.ts';
import { type Command, UsageError } from './command.ts';
import { showRows } from './progress.ts';

export const backup: Command = {
  name: 'backup',
  summary: 'Write a consistent backup into a new folder. The server can be running.',
  details:
    'The backup holds all tables and can be restored into SQLite or PostgreSQL, whichever it came from. The cache is\n' +
    'not in it. When the master key is the one in the data folder, the backup holds it too, unless told otherwise: then\n' +
    'it is as secret as the data folder. A master key that is given by a setting is never in it.',
  options: {
    to: { type: 'string', value: 'FOLDER', meaning: 'Folder to create. It must not exist.', required: true },
    'without-master-key': { type: 'boolean', meaning: 'Leave the master key out.' },
  },
  async run(values, environment) {
    const folder = path.resolve(String(values['to']));
    if (existsSync(folder))
      throw new UsageError(`--to: ${folder} exists already. Name a folder that does not.`);
    const config = readConfig(environment);
    if (!hasDatabase(config)) {
      throw new UsageError(
        `There is no database in ${config.dataDir}, so there is nothing to back up. Is MAINSTAY_DATA_DIR right?`,
      );
    }
    const { log } = createLog({ level: 'warn', format: config.logFormat });
    await using stack = new AsyncDisposableStack();
    const db = await openDatabase(config, log);
    stack.defer(() => db.close());
    refuseNewer((await migrationState(db, migrations)).unknown);
    const ownKey = !config.masterKey && !config.masterKeyFile && !values['without-master-key'];
    const masterKey = ownKey ? await openMasterKey(config, log, { mayMake: false }) : null;
    const now = systemClock.now();
    const progress = showRows('written');
    const manifest = await writeBackup(db, { folder, masterKey, now, progress: progress.show });
    progress.end();
    const rows = Object.values(manifest.rows).reduce((a, b) => a + b, 0);
    process.stdout.write(
      `${folder}: ${counted(rows, 'row')} of ${counted(Object.keys(manifest.rows).length, 'table')}.\n`,
    );
    process.stdout.write(
      masterKey
        ? 'It holds the master key: keep it as secret as the data folder.\n'
        : 'It does not hold the master key: keep that safe elsewhere, the backup cannot be read without it.\n',
    );
    return 0;
  },
};
