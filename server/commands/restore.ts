import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { openVault } from '#accounts/vault/service.ts';
import { masterKeyPath } from '#adapters/files/master-key.ts';
import { systemClock } from '#core/clock.ts';
import { masterKeyName, readManifest } from '../backup/manifest.ts';
import { isEmpty, readBackup } from '../backup/read.ts';
import { type Config, readConfig } from '../platform/config.ts';
import { openDatabase, openMasterKey } from '../platform/engines.ts';
import { createLog } from '../platform/log.ts';
import { type Command, UsageError } from './command.ts';
import { showRows } from './progress.ts';

export const restore: Command = {
  name: 'restore',
  summary: 'Fill an empty data folder or database from a backup.',
  details: 'Refuses a target that holds anything already. SQLite and PostgreSQL take each other’s backups.',
  options: { from: { type: 'string', value: 'FOLDER', meaning: 'The backup.', required: true } },
  async run(values, environment) {
    const folder = path.resolve(String(values['from']));
    const config = readConfig(environment);
    const { log } = createLog({ level: 'warn', format: config.logFormat });
    const manifest = await readManifest(folder);
    const db = await openDatabase(config, log);
    try {
      if (!(await isEmpty(db))) {
        const target = config.databaseUrl ? 'The database' : config.dataDir;
        throw new UsageError(
          `${target} is not empty. Restore into a new MAINSTAY_DATA_DIR or a new database.`,
        );
      }
      await bringMasterKey(config, folder);
      const progress = showRows('read');
      await readBackup(db, folder, manifest, progress.show);
      progress.end();
      // Proves that the master key opens what was restored.
      await openVault({ db, clock: systemClock, masterKey: await openMasterKey(config, log) });
      process.stdout.write(`Restored the state of ${manifest.createdAt}.\n`);
    } finally {
      await db.close();
    }
    return 0;
  },
};

/** Puts the backup's master key into the data folder, when it has one and no setting gives another. */
async function bringMasterKey(config: Config, folder: string): Promise<void> {
  const source = path.join(folder, masterKeyName);
  if (config.masterKey || config.masterKeyFile) return;
  const target = masterKeyPath(config.dataDir);
  if (!existsSync(source)) {
    if (existsSync(target)) return;
    throw new UsageError(
      'The backup holds no master key. Set MAINSTAY_MASTER_KEY or MAINSTAY_MASTER_KEY_FILE to its key.',
    );
  }
  if (existsSync(target)) {
    const [theirs, ours] = await Promise.all([readFile(source, 'utf8'), readFile(target, 'utf8')]);
    if (theirs.trim() !== ours.trim())
      throw new UsageError(`${target} is another master key than the backup's.`);
    return;
  }
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  await copyFile(source, target);
}
