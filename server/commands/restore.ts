import { existsSync } from 'node:fs';
import { copyFile, mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { demandOpens, WrongMasterKey } from '#accounts/vault/service.ts';
import { masterKeyPath, parseMasterKey, readMasterKey } from '#adapters/files/master-key.ts';
import { masterKeyName, readManifest } from '../backup/manifest.ts';
import { isEmpty, readBackup, vaultKeysIn } from '../backup/read.ts';
import { type Config, readConfig } from '../platform/config.ts';
import { openDatabase } from '../platform/engines.ts';
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
    await demandMasterKey(config, folder);
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
      process.stdout.write(`Restored the state of ${manifest.createdAt}.\n`);
    } finally {
      await db.close();
    }
    return 0;
  },
};

/** Refuses, before anything is written, a backup that the master key at hand does not open. */
async function demandMasterKey(config: Config, folder: string): Promise<void> {
  const keys = await vaultKeysIn(folder);
  if (keys.length === 0) return;
  try {
    await demandOpens(keys, await masterKeyFor(config, folder));
  } catch (error) {
    if (!(error instanceof WrongMasterKey)) throw error;
    throw new UsageError(
      'The master key is not the one that this backup was made with. Nothing was changed.',
    );
  }
}

/** The key that the server will run with: of a setting, of the data folder, or else the backup's. */
async function masterKeyFor(config: Config, folder: string): Promise<Buffer> {
  if (config.masterKey) return parseMasterKey(config.masterKey, 'MAINSTAY_MASTER_KEY');
  if (config.masterKeyFile) return readMasterKey(config.masterKeyFile);
  const [ours, theirs] = [masterKeyPath(config.dataDir), path.join(folder, masterKeyName)];
  if (existsSync(ours)) return readMasterKey(ours);
  if (existsSync(theirs)) return readMasterKey(theirs);
  throw new UsageError(
    'The backup holds no master key. Set MAINSTAY_MASTER_KEY or MAINSTAY_MASTER_KEY_FILE to its key.',
  );
}

/** Puts the backup's master key into the data folder, when neither a setting nor the folder has one. */
async function bringMasterKey(config: Config, folder: string): Promise<void> {
  const target = masterKeyPath(config.dataDir);
  if (config.masterKey || config.masterKeyFile || existsSync(target)) return;
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  // Aside and renamed: a restore that is interrupted here can be tried again.
  const aside = `${target}.${process.pid}`;
  await copyFile(path.join(folder, masterKeyName), aside);
  await rename(aside, target);
}
