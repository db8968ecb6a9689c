import { existsSync } from 'node:fs';
import path from 'node:path';
import { writeBackup } from '../backup/write.ts';
import { readConfig } from '../platform/config.ts';
import { createLog } from '../platform/log.ts';
import { openPlatform } from '../platform/platform.ts';
import { type Command, UsageError } from './command.ts';
import { showRows } from './progress.ts';

export const backup: Command = {
  name: 'backup',
  summary: 'Write the state of one moment into a new folder. The server may be running.',
  details:
    'The backup holds all tables and can be restored into SQLite or PostgreSQL, whichever it came from. The cache is\n' +
    'not in it. When the master key is the one in the data folder, the backup holds it too, unless told otherwise: then\n' +
    'it is as secret as the data folder. A master key that is given by a setting is never in it.',
  options: {
    to: { type: 'string', value: 'FOLDER', meaning: 'Folder to make. It must not exist.', required: true },
    'without-master-key': { type: 'boolean', meaning: 'Leave the master key out.' },
  },
  async run(values, environment) {
    const folder = path.resolve(String(values['to']));
    if (existsSync(folder))
      throw new UsageError(`--to: ${folder} exists already. Name a folder that does not.`);
    const config = readConfig(environment);
    const { log } = createLog({ level: 'warn', format: config.logFormat });
    await using platform = await openPlatform(config, log);
    const ownKey = !config.masterKey && !config.masterKeyFile && !values['without-master-key'];
    const masterKey = ownKey ? platform.masterKey : null;
    const now = platform.clock.now();
    const progress = showRows('written');
    const manifest = await writeBackup(platform.db, { folder, masterKey, now, progress: progress.show });
    progress.end();
    const rows = Object.values(manifest.rows).reduce((a, b) => a + b, 0);
    process.stdout.write(`${folder}: ${rows} rows of ${Object.keys(manifest.rows).length} tables.\n`);
    process.stdout.write(
      masterKey
        ? 'It holds the master key: keep it as secret as the data folder.\n'
        : 'It does not hold the master key: keep that safe elsewhere, the backup cannot be read without it.\n',
    );
    return 0;
  },
};
