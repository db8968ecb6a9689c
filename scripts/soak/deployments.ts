import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { blobEngines, blobSettings } from '../../server/testing/blobs.ts';
import { deployer, runnerSettings, sandboxMissing } from '../../server/testing/deploying.ts';
import { engines, testHome } from '../../server/testing/engines.ts';
import { fetchToken, toAnswer } from '../../server/testing/instance.ts';
import { bootstrapCommand, type ServerProcess } from '../../server/testing/process.ts';
import type { ZipPart } from '../../server/testing/zip.ts';
import { freePort } from '../postgres.ts';
import { after, type Campaign, randomBetween, runTests, startServer } from './campaign.ts';

type Tools = ReturnType<typeof deployer> & { statusOf(id: string): Promise<number> };

/** What is under way when a node is killed: a deployment in that state, or another change. */
const moments = [
  ...['PENDING', 'QUEUED', 'STARTING', 'BUILDING', 'PROVISIONING', 'ACTIVE'],
  ...['rollback', 'delete'],
] as const;
type Moment = (typeof moments)[number];

/** A page and a server that say the same version; the server's process is known by its name. */
const site = (version: string, mark: string): ZipPart[] => [
  {
    name: 'mainstay.json',
    content: JSON.stringify({
      ...{ version: 4, assets: 'public', functions: { 'server.js': {} }, build_commands: ['sleep 0.3'] },
      routes: [{ source: '/api', destination: 'server.js' }],
    }),
  },
  {
    name: 'server.js',
    content: `process.title = '${mark}';\nrequire('node:http').createServer((q, s) => s.end('${version}')).listen(process.env.PORT);\n`,
  },
  { name: 'public/index.html', content: version },
];

/** What was acknowledged, and what may have been done without an answer. */
class History {
  /** By id, what it answers. */
  readonly versions = new Map<string, string>();
  readonly deleted = new Set<string>();
  readonly maybeDeleted = new Set<string>();
  /** Those that may be live; after an answer exactly one. */
  live = new Set<string>();
  acknowledged = 0;
  /** The one that was made last. */
  newest = '';

  /** One that is there and not live, by chance. */
  other(): string | undefined {
    const others = [...this.versions.keys()].filter(
      (id) => !this.deleted.has(id) && !this.maybeDeleted.has(id) && !this.live.has(id),
    );
    return others[Math.floor(Math.random() * others.length)];
  }
}

async function begin(tools: Tools, history: History): Promise<string> {
  const { id } = await tools.call('POST', '/deployments', { applicationId: tools.applicationId });
  history.versions.set(id, `version ${id}`);
  history.live.add(id);
  history.newest = id;
  return id;
}

async function send(tools: Tools, history: History, mark: string, id: string): Promise<void> {
  await tools.send(id, site(history.versions.get(id) ?? '', mark));
  history.acknowledged++;
}

async function demandActive(tools: Tools, history: History, id: string): Promise<void> {
  const { status, reason } = await tools.ended(id);
  assert.equal(status, 'ACTIVE', reason);
  history.live = new Set([id]);
}

async function deploy(tools: Tools, history: History, mark: string): Promise<void> {
  const id = await begin(tools, history);
  await send(tools, history, mark, id);
  await demandActive(tools, history, id);
}

/** The second waits for the first, which is built meanwhile. */
async function deployTwo(tools: Tools, history: History, mark: string): Promise<void> {
  const first = await begin(tools, history);
  const second = await begin(tools, history);
  await send(tools, history, mark, first);
  while ((await tools.call('GET', `/deployments/${first}`)).status === 'QUEUED') await sleep(5);
  await send(tools, history, mark, second);
  await demandActive(tools, history, first);
  await demandActive(tools, history, second);
}

async function rollBack(tools: Tools, history: History, id: string): Promise<void> {
  history.live.add(id);
  const { live } = await tools.call('POST', `/deployments/${id}/rollback`);
  assert.equal(live, true);
  history.acknowledged++;
  history.live = new Set([id]);
}

async function remove(tools: Tools, history: History, id: string): Promise<void> {
  history.maybeDeleted.add(id);
  await tools.call('DELETE', `/deployments/${id}`);
  history.acknowledged++;
  history.deleted.add(id);
}

/** Changes of the kind that the moment wants, one after another, until a node goes. */
async function change(tools: Tools, history: History, mark: string, moment: Moment): Promise<void> {
  for (;;) {
    const other = history.other();
    if (moment === 'QUEUED') await deployTwo(tools, history, mark);
    else if (moment === 'rollback' && other !== undefined) await rollBack(tools, history, other);
    else if (moment === 'delete' && other !== undefined) await remove(tools, history, other);
    else await deploy(tools, history, mark);
  }
}

/** Resolves in such a moment; false where none came in time. */
async function untilMoment(tools: Tools, history: History, moment: Moment): Promise<boolean> {
  const isLate = after(60);
  const { newest, acknowledged } = history;
  const isThere = async () => {
    if (moment === 'rollback' || moment === 'delete') return history.acknowledged > acknowledged;
    if (history.newest === newest) return false;
    return (await tools.call('GET', `/deployments/${history.newest}`)).status === moment;
  };
  while (!(await isThere())) {
    if (isLate()) return false;
    await sleep(2);
  }
  // Between two answers, or during the next.
  await sleep(randomBetween(0, 30));
  return true;
}

/** Everything acknowledged is there, one version answers everywhere, and nothing is left behind. */
async function verify(nodes: readonly Tools[], history: History, dataDir: string): Promise<void> {
  const [tools] = nodes as [Tools];
  for (const [id, version] of history.versions) {
    const status = await tools.statusOf(id);
    if (history.deleted.has(id)) assert.equal(status, 404, `${version} came back`);
    else if (!history.maybeDeleted.has(id)) assert.equal(status, 200, `${version} was lost`);
    // Its archive may not have been taken: nobody sends the rest.
    if (status === 404) history.deleted.add(id);
    else if ((await tools.call('GET', `/deployments/${id}`)).status === 'PENDING') {
      await tools.call('POST', `/deployments/${id}/cancel`);
      await tools.call('DELETE', `/deployments/${id}`);
      history.deleted.add(id);
    } else await tools.ended(id);
  }
  for (const id of history.deleted) {
    history.versions.delete(id);
    history.live.delete(id);
  }
  history.deleted.clear();
  history.maybeDeleted.clear();
  const known = await Promise.all(
    [...history.versions.keys()].map((id) => tools.call('GET', `/deployments/${id}`)),
  );
  for (const { id, status, reason } of known) assert.equal(status, 'ACTIVE', `${id}: ${reason}`);
  const live = known.filter((one) => one.live);
  assert.ok(live.length <= 1, 'more than one deployment is live');
  const [only] = live;
  if (!only) {
    assert.equal(history.versions.size, 0, 'nothing is live');
    return;
  }
  assert.ok(history.live.has(only.id), 'what is live was never asked for, or was replaced since');
  history.live = new Set([only.id]);
  const host = await tools.hostOf(only.id);
  for (const node of nodes)
    for (const where of ['/', '/api'])
      assert.equal((await node.visit(host, where)).body, history.versions.get(only.id), where);
  const isLate = after(120);
  const folders = async () => [
    ...(await names(path.join(dataDir, 'builds'))),
    // Packages that were being unpacked by a server that is gone.
    ...(await names(path.join(dataDir, 'functions'))).filter((name) => /^\.\d/.test(name)),
  ];
  while ((await folders()).length > 0) {
    assert.ok(!isLate(), `folders are left: ${(await folders()).join(', ')}`);
    await sleep(50);
  }
}

const names = (folder: string) => readdir(folder).catch((): string[] => []);

/** Ids of processes of the site's server. */
const processesOf = (mark: string): string[] =>
  spawnSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' })
    .stdout.split('\n')
    .map((line) => line.trim().split(/\s+(.*)/s))
    .flatMap(([pid = '', args]) => (args === mark ? [pid] : []));

interface Node {
  server: ServerProcess;
  tools: Tools;
}

/**
 * kill -9 of one of two nodes, or of both, in each state of a deployment and while others are rolled back and deleted; what
 * is left is continued by the other node, or by the next one.
 */
const kills: Campaign[] = engines.flatMap((engine) =>
  blobEngines.map((blobs) => ({
    name: `kill -9 of nodes that deploy (${engine}, ${blobs})`,
    ...(blobs === 'files' ? { short: true as const } : {}),
    missing: () => sandboxMissing ?? undefined,
    async run(seconds) {
      await using home = await testHome(engine);
      const dataDir = home.settings['MAINSTAY_DATA_DIR'] ?? '';
      const settings = {
        ...{ ...home.settings, ...runnerSettings, ...blobSettings(blobs) },
        ...{ MAINSTAY_BASE_URL: 'http://mainstay.test', MAINSTAY_REQUESTS_PER_MINUTE: '0' },
      };
      const { keys, application } = await bootstrapCommand(settings);
      const history = new History();
      const mark = `soak-${process.pid}-${engine}-${blobs}`;
      await using stack = new AsyncDisposableStack();
      const nodes: Node[] = [];
      stack.defer(async () => {
        for (const { server } of nodes) await server.end('SIGKILL');
      });
      const startNode = async (): Promise<Node> => {
        const gatewayPort = await freePort();
        const server = await startServer({ ...settings, MAINSTAY_GATEWAY_PORT: String(gatewayPort) });
        const { url } = server;
        const authorization = `Bearer ${await fetchToken(url, keys.user)}`;
        const tools = deployer({
          ...{ url, bootstrapped: { application } },
          listeners: new Map([['applications', `http://127.0.0.1:${gatewayPort}`]]),
          call: async (method, at, { body } = {}) =>
            toAnswer(
              await fetch(`${url}${at}`, {
                method,
                headers: {
                  authorization,
                  ...(body === undefined ? {} : { 'content-type': 'application/json' }),
                },
                ...(body === undefined ? {} : { body: JSON.stringify(body) }),
              }),
            ),
        });
        const statusOf = async (id: string) =>
          (await fetch(`${url}/deployments/${id}`, { headers: { authorization } })).status;
        return { server, tools: { ...tools, statusOf } };
      };
      const demandNothingLeft = async (dead: readonly Node[]) => {
        for (const { server } of dead) {
          const left = (await names(tmpdir())).filter((name) =>
            name.startsWith(`mainstay-run-${server.pid}-`),
          );
          assert.deepEqual(left, [], 'folders of sandboxes are left');
        }
      };
      const isOver = after(seconds);
      const seen = new Map<Moment, number>();
      let rounds = 0;
      nodes.push(await startNode(), await startNode());
      do {
        const moment = moments[rounds % moments.length] as Moment;
        // A token is valid for five minutes, and a round takes less.
        const [first, second] = nodes as [Node, Node];
        const [asked, watching] = rounds % 2 === 0 ? [first, second] : [second, first];
        const dying = rounds % 3 === 0 ? [first, second] : [asked];
        let isKilled = false;
        const changing = change(asked.tools, history, mark, moment).catch((error) => {
          if (!isKilled || error instanceof assert.AssertionError) throw error;
        });
        changing.catch(() => {});
        if (await Promise.race([untilMoment(watching.tools, history, moment), changing.then(() => false)]))
          seen.set(moment, (seen.get(moment) ?? 0) + 1);
        isKilled = true;
        const running = processesOf(mark);
        await Promise.all(dying.map(({ server }) => server.end('SIGKILL')));
        await changing;
        const living = nodes.filter((node) => !dying.includes(node));
        const next = [...living];
        while (next.length < 2) next.push(await startNode());
        nodes.splice(0, 2, ...next);
        // A server that starts ends what the freezer of cgroups version 1 has kept of the killed ones.
        const isStuck = after(120);
        while (dying.length === 2 && processesOf(mark).some((pid) => running.includes(pid))) {
          assert.ok(!isStuck(), 'processes of killed servers go on');
          await sleep(20);
        }
        await verify(
          nodes.map(({ tools }) => tools),
          history,
          dataDir,
        );
        await demandNothingLeft(dying);
        rounds++;
      } while (!isOver() || history.acknowledged === 0);
      const met = [...seen].map(([moment, count]) => `${moment} ${count}`).join(', ');
      return `${rounds} rounds (${met}) during ${history.acknowledged} acknowledged changes`;
    },
  })),
);

const switches: Campaign = {
  name: '20 switches under 32 connections',
  seconds: 600,
  missing: () => sandboxMissing ?? undefined,
  async run() {
    await runTests('server/areas/gateway/switch.test.ts', { SWITCH_FULL: 'yes' });
    return 'none of 10 000 requests failed, and every stream and WebSocket continued';
  },
};

export const deploymentCampaigns: readonly Campaign[] = [...kills, switches];
