import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, engines, testHome } from '../../server/testing/engines.ts';
import { fetchToken } from '../../server/testing/instance.ts';
import { startTcpProxy, type TcpProxy } from '../../server/testing/tcp-proxy.ts';
import { startPostgres } from '../postgres.ts';
import { after, bootstrapped, type Campaign, randomBetween, startServer, untilReady } from './campaign.ts';
import { Ledger } from './ledger.ts';

const missing = () => (engines.includes('postgres') ? undefined : 'PostgreSQL');

interface Harm {
  proxy: TcpProxy;
  isOver: () => boolean;
  nodes: { url: string; pid: number }[];
  restart: () => Promise<void>;
}

/** Two nodes on one PostgreSQL, seen through a proxy; `harm` is done to them under writes until it is over. */
async function underHarm(seconds: number, harm: (to: Harm) => Promise<void>): Promise<string> {
  await using stack = new AsyncDisposableStack();
  const postgres = await startPostgres();
  assert.ok(postgres);
  stack.use(postgres);
  const { url: direct } = await createDatabase(postgres.url);
  const home = stack.use(await testHome('sqlite'));
  const url = new URL(direct);
  const proxy = stack.use(await startTcpProxy({ host: url.hostname, port: Number(url.port) }));
  url.port = String(proxy.port);
  const settings = {
    ...home.settings,
    MAINSTAY_BASE_URL: 'http://mainstay.test',
    MAINSTAY_DATABASE_URL: url.href,
    MAINSTAY_DATABASE_TIMEOUT: '5s',
  };
  const keys = await bootstrapped(settings);
  const nodes = await Promise.all([startServer(settings), startServer(settings)]);
  for (const node of nodes) stack.use(node);
  const token = await fetchToken(nodes[0].url, keys.user);
  const ledger = new Ledger();
  const isOver = after(seconds);
  let turn = 0;
  const target = () => ({ url: nodes[turn++ % 2]?.url ?? '', token });
  const load = ledger.load({ writers: 8, isOver, target });
  const restart = async () => {
    await postgres.stop();
    await postgres.start();
  };
  await harm({ proxy, isOver, nodes, restart });
  await load;
  for (const { url: node } of nodes) await untilReady(node);
  const report = await ledger.verify({ ...settings, MAINSTAY_DATABASE_URL: direct }, nodes[0].url);
  assert.deepEqual(await Promise.all(nodes.map((node) => node.end('SIGTERM'))), [0, 0]);
  return report;
}

async function again(isOver: () => boolean, work: () => Promise<unknown>): Promise<void> {
  while (!isOver()) await work();
}

export const postgresCampaigns: Campaign[] = [
  {
    name: 'cut COMMITs',
    short: true,
    missing,
    run: (seconds) =>
      underHarm(seconds, ({ proxy, isOver }) =>
        again(isOver, async () => {
          await Promise.race([proxy.loseAnswerTo('commit'), sleep(500)]);
          await sleep(randomBetween(0, 50));
        }),
      ),
  },
  {
    name: 'a PostgreSQL that stalls',
    missing,
    run: (seconds) =>
      underHarm(seconds, ({ proxy, isOver }) =>
        again(isOver, async () => {
          proxy.stall();
          await sleep(randomBetween(200, Math.min(8000, seconds * 500)));
          proxy.resume();
          await sleep(randomBetween(100, 1000));
        }),
      ),
  },
  {
    name: 'a PostgreSQL that restarts',
    short: true,
    missing,
    run: (seconds) =>
      underHarm(seconds, ({ restart, isOver }) =>
        again(isOver, async () => {
          await restart();
          await sleep(randomBetween(100, 1000));
        }),
      ),
  },
  {
    name: 'nodes that freeze',
    missing,
    run: (seconds) =>
      underHarm(seconds, ({ nodes, isOver }) =>
        again(isOver, async () => {
          const node = nodes[Math.floor(randomBetween(0, nodes.length))];
          assert.ok(node);
          process.kill(node.pid, 'SIGSTOP');
          await sleep(randomBetween(200, Math.min(6000, seconds * 500)));
          process.kill(node.pid, 'SIGCONT');
          await sleep(randomBetween(100, 500));
        }),
      ),
  },
];
