import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';
import { openFileBlobs } from '#adapters/files/blobs.ts';
import { ensureMasterKey, parseMasterKey, readMasterKey } from '#adapters/files/master-key.ts';
import { openLmdb } from '#adapters/lmdb/open.ts';
import { openProcessRunner, sandboxProblem } from '#adapters/process/open.ts';
import { openSqlite } from '#adapters/sqlite/open.ts';
import { openSqliteLogs } from '#adapters/sqlite-logs/open.ts';
import type { BlobSpaces, Blobs } from '#core/blobs.ts';
import type { Cache } from '#core/cache.ts';
import type { Clock } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import type { LogStore } from '#core/log-store.ts';
import { demandCountriesFile } from '#core/logs/countries-file.ts';
import type { Mailer } from '#core/mailer.ts';
import type { Runner } from '#core/runner.ts';
import type { ServiceEngine, ServiceKind } from '#core/service-engine.ts';
import type { Config } from './config.ts';

/**
 * The only file that names an adapter: settings choose the engine, everything else sees the port. What needs a library that
 * most instances never use is loaded when it is chosen.
 */

/** Whether `openDatabase` would open one that is there: SQLite's is made by the first start. */
export function hasDatabase(config: Config): boolean {
  return config.databaseUrl !== undefined || existsSync(databaseFile(config));
}

function databaseFile({ dataDir }: Config): string {
  return path.join(dataDir, 'mainstay.db');
}

export async function openDatabase(config: Config, log: Logger): Promise<Db> {
  const options = {
    retrySeconds: config.databaseTimeout,
    onQuery: config.tracesUrl ? (await import('#http/traces.ts')).traceQuery : undefined,
  };
  if (!config.databaseUrl) return openSqlite(databaseFile(config), options);
  const { openPostgres } = await import('#adapters/postgres/open.ts');
  return openPostgres(config.databaseUrl, {
    ...options,
    maxConnections: config.databaseConnections,
    graceSeconds: config.databaseGrace,
    onError: (err) => log.warn({ err }, 'A connection to PostgreSQL was lost.'),
  });
}

export async function openCache(config: Config, clock: Clock, log: Logger): Promise<Cache> {
  if (config.cacheUrl) {
    const { openValkey } = await import('#adapters/valkey/open.ts');
    return openValkey(config.cacheUrl, {
      ...{ clock, applicationBytes: config.cacheApplicationBytes, timeoutSeconds: config.cacheTimeout },
      onError: (err) => log.warn({ err }, 'The server of the cache cannot be reached.'),
    });
  }
  const limits = { applicationBytes: config.cacheApplicationBytes, totalBytes: config.cacheSize };
  return openLmdb(path.join(config.dataDir, 'cache'), { limits, clock });
}

export async function openBlobs(config: Config): Promise<BlobSpaces> {
  await using opening = new AsyncDisposableStack();
  const storage = opening.use(await openBlobSpace(config, 'storage'));
  const deployments = opening.use(await openBlobSpace(config, 'deployments'));
  const resources = opening.move();
  return { storage, deployments, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

async function openBlobSpace(config: Config, space: string): Promise<Blobs> {
  if (config.blobsUrl) {
    const { openS3Blobs } = await import('#adapters/s3/blobs.ts');
    return openS3Blobs(config.blobsUrl, space);
  }
  return openFileBlobs(path.join(config.dataDir, 'blobs', space));
}

export async function openLogs(config: Config, log: Logger): Promise<LogStore> {
  if (config.requestLogCountries) await demandCountriesFile(config.requestLogCountries);
  const options = {
    prepare: {
      requests: { addresses: config.requestLogAddresses, countriesFile: config.requestLogCountries },
    },
    retention: {
      requests: config.requestLogRetention,
      'runtime-logs': config.runtimeLogRetention,
      'ai-usage': config.usageLogRetention,
    },
    bufferBytes: config.logBuffer,
    notice: (text: string) => log.warn(text),
  };
  if (config.logsUrl) {
    const { openClickHouseLogs } = await import('#adapters/clickhouse/open.ts');
    return openClickHouseLogs({ ...options, url: config.logsUrl.href });
  }
  return openSqliteLogs({ ...options, folder: logFolder(config) });
}

export function logFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return path.join(dataDir, 'logs');
}

export async function openMasterKey(
  config: Config,
  log: Logger,
  options: { mayMake: boolean },
): Promise<Buffer> {
  if (config.masterKey) return parseMasterKey(config.masterKey, 'MAINSTAY_MASTER_KEY');
  if (config.masterKeyFile) return readMasterKey(config.masterKeyFile);
  const { key, made } = await ensureMasterKey(config.dataDir, options);
  if (made)
    log.info(`Made a master key in ${config.dataDir}. Keep a copy: without it no secret can be read.`);
  return key;
}

/** Null where the operator has set no mail server. */
export async function openMailer(config: Config): Promise<Mailer | null> {
  if (!config.smtpUrl) return null;
  const from = config.mailFrom ?? `Mainstay <mainstay@${new URL(config.baseUrl).hostname}>`;
  const { openSmtp } = await import('#adapters/smtp/mailer.ts');
  return openSmtp({ url: config.smtpUrl, from });
}

/** What deployments may ask for in `services`. */
export async function openServiceEngines(config: Config): Promise<ReadonlyMap<ServiceKind, ServiceEngine>> {
  const engines: ServiceEngine[] = [];
  const { servicesPostgresUrl, servicesRedisUrl } = config;
  if (servicesPostgresUrl)
    engines.push((await import('#adapters/services/postgres.ts')).openPostgresService(servicesPostgresUrl));
  if (servicesRedisUrl)
    engines.push((await import('#adapters/services/redis.ts')).openRedisService(servicesRedisUrl));
  return new Map(engines.map((engine) => [engine.kind, engine]));
}

/** Null where this instance runs no code of users; then deployments are static files and proxies. */
export async function openRunner(
  config: Config,
  log: Logger,
  /** The port that the API listens on; asked when something is started. */
  port: () => number,
  engines: ReadonlyMap<ServiceKind, ServiceEngine>,
): Promise<Runner | null> {
  const { runnerKind: runner, egressAllow: allow, egressCaFile: caFile, runtimesFolder } = config;
  if (runner === 'none') return null;
  const host = ['0.0.0.0', '::'].includes(config.host) ? '127.0.0.1' : config.host;
  const blanks = { count: config.functionBlanks, folder: path.join(config.dataDir, 'functions', '.blanks') };
  const services = new Map([...engines.values()].map(({ kind, address }) => [kind, address]));
  const options = { services, allow, caFile, runtimesFolder, blanks, api: () => ({ host, port: port() }) };
  if (runner === 'trusted') {
    log.warn('MAINSTAY_RUNNER is trusted: code of deployments runs without a sandbox, as this server does.');
    return openProcessRunner({ kind: 'trusted', ...options });
  }
  const problem = await sandboxProblem();
  if (problem === null) return openProcessRunner({ kind: 'process', ...options });
  if (runner === 'process') throw new Error(`MAINSTAY_RUNNER is process, but ${problem}`);
  log.warn(`Builds and functions are off: ${problem}`);
  return null;
}
