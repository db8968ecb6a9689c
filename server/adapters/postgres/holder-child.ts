import { openPostgres } from '#adapters/postgres/open.ts';

/** A process for the test of frozen nodes: takes a lock, says so, and works under it for ever. */
const [url = '', lock = ''] = process.argv.slice(2);
const db = await openPostgres(new URL(url), { retrySeconds: 5, maxConnections: 2, onError: () => undefined });
await db.write(
  async () => {
    process.stdout.write('holding\n');
    await new Promise(() => setInterval(() => undefined, 1000));
  },
  { queue: lock },
);
