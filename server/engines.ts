import path from 'node:path';
import type { Logger } from 'pino';
import { ensureMasterKey, parseMasterKey, readMasterKey } from '#adapters/files/master-key.ts';
import { openPostgres } from '#adapters/postgres/open.ts';
import { openSqlite } from '#adapters/sqlite/open.ts';
import type { Db } from '#core/db.ts';
import { traceQuery } from '#http/traces.ts';
import type { Config } from './config.ts';

/** The only file that names an adapter: settings choose the engine, everything else sees the port. */

export function openDatabase(config: Config, log: Logger): Promise<Db> {
  const options = {
    retrySeconds: config.databaseTimeout,
    onQuery: config.tracesUrl ? traceQuery : undefined,
  };
  if (!config.databaseUrl) return openSqlite(path.join(config.dataDir, 'mainstay.db'), options);
  return openPostgres(config.databaseUrl, {
    ...options,
    maxConnections: config.databaseConnections,
    onError: (err) => log.warn({ err }, 'A connection to PostgreSQL was lost.'),
  });
}

export async function openMasterKey(config: Config, log: Logger): Promise<Buffer> {
  if (config.masterKey) return parseMasterKey(config.masterKey, 'MAINSTAY_MASTER_KEY');
  if (config.masterKeyFile) return readMasterKey(config.masterKeyFile);
  const { key, made } = await ensureMasterKey(config.dataDir);
  if (made)
    log.info(`Made a master key in ${config.dataDir}. Keep a copy: without it no secret can be read.`);
  return key;
}
