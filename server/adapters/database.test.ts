import { after } from 'node:test';
import { openPostgres } from '#adapters/postgres/open.ts';
import { openSqlite } from '#adapters/sqlite/open.ts';
import { emptyHome, engines } from '#testing/engines.ts';
import { databaseContract } from '../contracts/database.ts';

const retrySeconds = 2;

for (const engine of engines) {
  const home = await emptyHome(engine);
  after(() => home[Symbol.asyncDispose]());
  const url = home.settings['MAINSTAY_DATABASE_URL'];
  databaseContract(engine, () =>
    url
      ? openPostgres(new URL(url), { retrySeconds, maxConnections: 5, onError: () => undefined })
      : openSqlite(`${home.folder}/contract.db`, { retrySeconds }),
  );
}
