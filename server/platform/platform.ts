import type { Logger } from 'pino';
import { hasKeys, openVault } from '#accounts/vault/service.ts';
import type { BlobSpaces } from '#core/blobs.ts';
import type { Cache } from '#core/cache.ts';
import { type Clock, systemClock } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import type { LogStore } from '#core/log-store.ts';
import type { Mailer } from '#core/mailer.ts';
import { migrate, migrationState, refuseNewer } from '#core/migrate.ts';
import type { Vault } from '#core/vault.ts';
import { migrations } from '../migrations/index.ts';
import type { Config } from './config.ts';
import { openBlobs, openCache, openDatabase, openLogs, openMailer, openMasterKey } from './engines.ts';

/** What every command that works on an instance needs, opened in order and closed in reverse. */
export interface Platform extends AsyncDisposable {
  config: Config;
  log: Logger;
  clock: Clock;
  db: Db;
  cache: Cache;
  /** Bytes of stored files and of deployments. */
  blobs: BlobSpaces;
  /** Answered requests, lines of deployments, AI usage. */
  logs: LogStore;
  vault: Vault;
  masterKey: Buffer;
  /** Null where the operator has set no mail server. */
  mailer: Mailer | null;
}

export async function openPlatform(
  config: Config,
  log: Logger,
  clock: Clock = systemClock,
): Promise<Platform> {
  await using opening = new AsyncDisposableStack();
  const db = await openDatabase(config, log);
  opening.defer(() => db.close());
  await bringUpToDate(db, config, log);
  const masterKey = await openMasterKey(config, log, { mayMake: !(await hasKeys(db)) });
  const vault = await openVault({ db, clock, masterKey });
  const cache = opening.use(await openCache(config, clock, log));
  const blobs = opening.use(await openBlobs(config));
  const logs = opening.use(await openLogs(config, log));
  const mailer = await openMailer(config);
  opening.defer(() => mailer?.close());
  const resources = opening.move();
  return {
    config,
    log,
    clock,
    db,
    cache,
    blobs,
    logs,
    vault,
    masterKey,
    mailer,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function bringUpToDate(db: Db, config: Config, log: Logger): Promise<void> {
  if (config.autoMigrate) {
    const names = await migrate(db, migrations, { say: (text) => log.warn(text) });
    if (names.length > 0) log.info({ migrations: names }, 'The database is up to date.');
    return;
  }
  const { pending, unknown } = await migrationState(db, migrations);
  refuseNewer(unknown);
  if (pending.length > 0) {
    throw new Error(
      `The database lacks ${pending.join(', ')}. Run \`mainstay-server migrate\`, or set MAINSTAY_AUTO_MIGRATE=true.`,
    );
  }
}
