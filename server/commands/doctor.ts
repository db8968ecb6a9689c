import { randomBytes } from 'node:crypto';
import { open, stat, statfs, unlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { skewedClocks } from '#accounts/nodes/service.ts';
import { demandOpens, hasKeys, openVault, WrongMasterKey } from '#accounts/vault/service.ts';
import { processLimits, sandboxProblem } from '#adapters/process/open.ts';
import { brokenLogFiles } from '#adapters/sqlite-logs/open.ts';
import { describePrices } from '#areas/ai-gateway/service.ts';
import { checkBlobs } from '#areas/storage/service.ts';
import { describeCoverage } from '#areas/web-reputation/service.ts';
import { systemClock } from '#core/clock.ts';
import { counted } from '#core/counted.ts';
import type { Db } from '#core/db.ts';
import { migrationState } from '#core/migrate.ts';
import { migrations } from '../migrations/index.ts';
import { type Config, readConfig, unknownSettings } from '../platform/config.ts';
import { hasDatabase, logFolder, openBlobs, openDatabase, openMasterKey } from '../platform/engines.ts';
import { createLog } from '../platform/log.ts';
import { version } from '../platform/version.ts';
import type { Command } from './command.ts';

interface Finding {
  check: string;
  ok: boolean;
  /** What was found, and when it is not ok, what to do. */
  text: string;
}

export const doctor: Command = {
  name: 'doctor',
  summary:
    'Check the configuration and environment of the server, and suggest fixes. Changes nothing without --fix.',
  options: {
    json: { type: 'boolean', meaning: 'Print JSON.' },
    blobs: { type: 'boolean', meaning: 'Read every stored file, too, and compare it with its checksum.' },
    fix: { type: 'boolean', meaning: 'With --blobs: have files deleted that nothing refers to.' },
  },
  async run(values, environment) {
    const findings: Finding[] = [];
    const check = async (name: string, work: () => Promise<string>) => {
      try {
        findings.push({ check: name, ok: true, text: await work() });
      } catch (error) {
        findings.push({ check: name, ok: false, text: (error as Error).message });
      }
    };
    const config = readConfig(environment);
    const { log } = createLog({ level: 'silent', format: 'json' });

    await check('settings', async () => settingsText(unknownSettings(environment)));
    await check(
      'runtime',
      async () => `Node ${process.versions.node} on ${process.platform}-${process.arch}`,
    );
    await check('data folder', () => dataFolder(config));
    await check('disk', () => disk(config));
    await check('disk writes', () => diskWrites(config));
    await check('log files', async () => logFilesText(config));
    let db: Db | undefined;
    await check('database', async () => {
      if (!hasDatabase(config)) return 'none yet; created on first start';
      db = await openDatabase(config, log);
      return databaseText(db);
    });
    if (db) {
      const opened = db;
      await check('migrations', () => migrationText(opened));
      await check('clocks', () => clocksText(opened));
      await check('model prices', () => pricesText(opened, config));
      await check('master key', () => masterKeyText(opened, config, log));
      if (values['blobs']) await check('blobs', () => blobsText(opened, config, log, values['fix'] === true));
      await opened.close();
    }
    await check('runner', () => runnerText(config));
    await check('reputation', () => describeCoverage(config, version));
    await check('server', () => serverText(config));

    if (values['json']) process.stdout.write(`${JSON.stringify({ findings })}\n`);
    else
      for (const { check: name, ok, text } of findings)
        process.stdout.write(`${ok ? 'ok  ' : 'BAD '} ${name.padEnd(12)} ${text}\n`);
    return findings.every(({ ok }) => ok) ? 0 : 1;
  },
};

function settingsText(unknown: string[]): string {
  if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: no such setting; see docs/settings.md.`);
  return 'all are valid';
}

async function dataFolder({ dataDir }: Config): Promise<string> {
  const found = await stat(dataDir).catch(() => undefined);
  if (!found) return `${dataDir} does not exist yet; created on first start`;
  if ((found.mode & 0o077) !== 0) {
    const mode = (found.mode & 0o777).toString(8);
    throw new Error(`${dataDir} is open to other users (mode ${mode}). Run: chmod 700 ${dataDir}`);
  }
  return dataDir;
}

async function existingParent(dataDir: string): Promise<string> {
  for (let folder = dataDir; ; folder = path.dirname(folder))
    if (await stat(folder).catch(() => undefined)) return folder;
}

const wantedFreeBytes = 1024 ** 3;

async function disk({ dataDir }: Config): Promise<string> {
  const { bavail, bsize } = await statfs(await existingParent(dataDir));
  const free = bavail * bsize;
  const text = `${(free / 1024 ** 3).toFixed(1)} GiB free`;
  if (free < wantedFreeBytes) throw new Error(`${text}. Writes fail when the disk is full: free some space.`);
  return text;
}

/** What a commit waits for. */
async function diskWrites({ dataDir }: Config): Promise<string> {
  const file = path.join(await existingParent(dataDir), `.doctor-${randomBytes(4).toString('hex')}`);
  const handle = await open(file, 'wx', 0o600);
  try {
    const times: number[] = [];
    for (let count = 0; count < 20; count++) {
      const start = performance.now();
      await handle.write(Buffer.alloc(4096)).catch((cause) => {
        throw new Error(
          `Nothing can be written to ${dataDir} (${(cause as Error).message}). Free some space.`,
          {
            cause,
          },
        );
      });
      await handle.datasync();
      times.push(performance.now() - start);
    }
    const median = times.sort((a, b) => a - b)[10] ?? 0;
    const text = `${median.toFixed(2)} ms to make 4 KiB durable`;
    if (median > 50)
      throw new Error(`${text}: every change waits for this. Use a faster disk for ${dataDir}.`);
    return text;
  } finally {
    await handle.close();
    await unlink(file);
  }
}

function logFilesText(config: Config): string {
  const broken = brokenLogFiles(logFolder(config));
  if (broken.length === 0) return 'none is broken';
  throw new Error(
    `${broken.join(', ')} in ${logFolder(config)} could not be read and were set aside. Delete them, or repair them by ` +
      '`sqlite3 FILE .recover`.',
  );
}

async function databaseText(db: Db): Promise<string> {
  const start = performance.now();
  await db.ping();
  const text = `${db.engine}, answers in ${(performance.now() - start).toFixed(1)} ms`;
  for (let waited = 0; !db.notifications.current(); waited += 100) {
    if (waited > 2000)
      throw new Error(
        `${text}, but does not deliver notifications (LISTEN/NOTIFY). Caches are disabled without it.`,
      );
    await sleep(100);
  }
  return text;
}

async function migrationText(db: Db): Promise<string> {
  const { pending, unknown } = await migrationState(db, migrations);
  if (unknown.length > 0)
    throw new Error(`The database is of a newer version (${unknown.join(', ')}). Upgrade this one.`);
  return pending.length === 0 ? 'up to date' : `${pending.join(', ')} will be applied by the next start`;
}

async function clocksText(db: Db): Promise<string> {
  const { pending } = await migrationState(db, migrations);
  if (pending.length > 0) return 'not compared yet';
  const wrong = await skewedClocks(db, systemClock);
  if (wrong.length > 0) throw new Error(wrong.join(' '));
  return db.engine === 'sqlite'
    ? 'one machine, one clock'
    : 'this machine and all nodes agree with the database';
}

async function pricesText(db: Db, config: Config): Promise<string> {
  const { pending } = await migrationState(db, migrations);
  return pending.length > 0 ? 'not read yet' : describePrices(db, config);
}

async function masterKeyText(db: Db, config: Config, log: Logger): Promise<string> {
  const { pending } = await migrationState(db, migrations);
  if (pending.length > 0) return 'not needed yet';
  if (!(await hasKeys(db))) return 'not needed yet';
  const masterKey = await openMasterKey(config, log, { mayMake: false });
  try {
    await demandOpens(db, masterKey);
  } catch (error) {
    if (!(error instanceof WrongMasterKey)) throw error;
    const place = config.masterKey
      ? 'Set MAINSTAY_MASTER_KEY to'
      : `Put into ${config.masterKeyFile ?? path.join(config.dataDir, 'master.key')}`;
    throw new Error(
      `${error.message} ${place} the key that it was made with (a backup holds it), or name its data folder.`,
      { cause: error },
    );
  }
  return 'opens the vault';
}

async function blobsText(db: Db, config: Config, log: Logger, fix: boolean): Promise<string> {
  const masterKey = await openMasterKey(config, log, { mayMake: false });
  const vault = await openVault({ db, clock: systemClock, masterKey });
  await using spaces = await openBlobs(config);
  const report = await checkBlobs({ db, vault, clock: systemClock, blobs: spaces.storage }, { fix });
  const { orphans, missing, corrupt } = report;
  const inline = report.inline > 0 ? ` and the database (${report.inline})` : '';
  const text = `${counted(report.objects, 'object')} in ${counted(report.blobs, 'blob')}${inline}`;
  const wrong = [
    ...(orphans.length > 0 && !fix ? [`${orphans.length} blobs are unreferenced; --fix deletes them`] : []),
    ...missing.map(
      ({ key, bucketId }) => `the content of ${JSON.stringify(key)} in bucket ${bucketId} is missing`,
    ),
    ...corrupt.map(
      ({ key, bucketId }) => `the content of ${JSON.stringify(key)} in bucket ${bucketId} was changed`,
    ),
  ];
  if (wrong.length === 0)
    return orphans.length > 0 ? `${text}; ${orphans.length} unreferenced blobs will be deleted` : text;
  const shown = wrong.slice(0, 20).join('; ');
  const more = wrong.length > 20 ? ` and ${wrong.length - 20} more` : '';
  throw new Error(`${text}: ${shown}${more}. Restore lost content from a backup.`);
}

/** What of the sandbox holds on this machine. */
async function runnerText({ runnerKind }: Config): Promise<string> {
  if (runnerKind === 'none') return 'off: MAINSTAY_RUNNER is none';
  if (runnerKind === 'trusted')
    return 'no sandbox: MAINSTAY_RUNNER is trusted, which is for your own code only';
  const problem = await sandboxProblem();
  if (problem !== null && runnerKind === 'process') throw new Error(problem);
  if (problem !== null) return `builds and functions are off: ${problem}`;
  const { missing } = await processLimits();
  return missing.length > 0
    ? `bubblewrap; these limits do not hold here: ${missing.join('; ')}`
    : 'bubblewrap, and every limit holds';
}

async function serverText(config: Config): Promise<string> {
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host;
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${config.port}/readyz`;
  const response = await fetch(address, { signal: AbortSignal.timeout(3000) }).catch(() => undefined);
  if (!response) return `nothing listens on port ${config.port}`;
  const body = (await response.json().catch(() => ({}))) as { status?: string; error?: string };
  if (body.status === 'degraded') {
    const what = 'it takes no writes: its disk is full or its database cannot be reached';
    throw new Error(`running at ${config.baseUrl}, but ${what}. See its log.`);
  }
  if (body.status === 'ready') return `running and ready at ${config.baseUrl}`;
  throw new Error(
    `Port ${config.port} is taken, but what answers is not ready: ${body.error ?? response.status}`,
  );
}
