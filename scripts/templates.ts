import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);
const command = path.join(import.meta.dirname, '../server/bin/mainstay-server.js');

/** A migrated database without content on each engine, for tests to copy instead of migrating hundreds of their own. */
export async function makeTemplates(
  postgresUrl: string | undefined,
): Promise<AsyncDisposable & { environment: Record<string, string> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-templates-'));
  const migrate = (settings: Record<string, string>) =>
    run(process.execPath, [command, 'migrate'], {
      env: { ...process.env, MAINSTAY_DATA_DIR: folder, ...settings },
    });
  const environment: Record<string, string> = { TEST_SQLITE_TEMPLATE: path.join(folder, 'mainstay.db') };
  await migrate({});
  if (postgresUrl) {
    const template = 'mainstay_template';
    await using client = await connected(postgresUrl);
    await client.query(`create database ${template}`);
    const url = new URL(postgresUrl);
    url.pathname = template;
    await migrate({ MAINSTAY_DATABASE_URL: url.href });
    environment['TEST_POSTGRES_TEMPLATE'] = template;
  }
  return { environment, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

async function connected(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
