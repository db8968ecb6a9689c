import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';

/** The database engines that this run has. `npm test` starts PostgreSQL and passes its address. */
export type EngineName = 'sqlite' | 'postgres';

const postgresUrl = process.env['TEST_POSTGRES_URL'];
/** Migrated databases without content, which `npm test` makes once: a copy takes a tenth of the migrations' time. */
const postgresTemplate = process.env['TEST_POSTGRES_TEMPLATE'];
const sqliteTemplate = process.env['TEST_SQLITE_TEMPLATE'];

export const engines: readonly EngineName[] = postgresUrl ? ['sqlite', 'postgres'] : ['sqlite'];

/** Settings of an instance on that engine, in a folder and a database of its own, gone when disposed. */
export interface TestHome extends AsyncDisposable {
  folder: string;
  settings: Record<string, string>;
}

/** Of a new instance, migrated already. */
export function testHome(engine: EngineName): Promise<TestHome> {
  return makeHome(engine, { isMigrated: true });
}

/** Where nothing is yet: the first command or server migrates it. */
export function emptyHome(engine: EngineName): Promise<TestHome> {
  return makeHome(engine, { isMigrated: false });
}

async function makeHome(engine: EngineName, { isMigrated }: { isMigrated: boolean }): Promise<TestHome> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-test-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const dataDir = path.join(folder, 'data');
  const settings: Record<string, string> = { MAINSTAY_DATA_DIR: dataDir };
  if (engine === 'sqlite' && isMigrated && sqliteTemplate) {
    await mkdir(dataDir, { mode: 0o700 });
    await copyFile(sqliteTemplate, path.join(dataDir, path.basename(sqliteTemplate)));
  }
  if (engine === 'postgres') {
    const database = await createDatabase(postgresUrl, isMigrated ? postgresTemplate : undefined);
    stack.defer(database.drop);
    settings['MAINSTAY_DATABASE_URL'] = database.url;
  }
  const resources = stack.move();
  return { folder, settings, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

export async function createDatabase(
  server = postgresUrl,
  template = 'template1',
): Promise<{ url: string; drop: () => Promise<void> }> {
  if (!server) throw new Error('This run has no PostgreSQL.');
  const create = async () => {
    const name = `t_${randomBytes(6).toString('hex')}`;
    await withClient(server, (client) => client.query(`create database ${name} template ${template}`));
    return name;
  };
  // PostgreSQL refuses to copy a template that somebody is connected to at that moment.
  const name = await create().catch(create);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const drop = () =>
    withClient(server, (client) => client.query(`drop database if exists ${name} with (force)`));
  return { url: url.href, drop };
}

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  // One that is lost without a word would hold up its file until the runner gives it up.
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 30_000,
    query_timeout: 60_000,
  });
  await client.connect();
  try {
    await work(client);
  } finally {
    client.end().catch(() => {});
  }
}
