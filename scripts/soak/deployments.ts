import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deployer, runnerSettings, sandboxMissing } from '../../server/testing/deploying.ts';
import { engines, testHome } from '../../server/testing/engines.ts';
import { fetchToken, toAnswer } from '../../server/testing/instance.ts';
import { bootstrapCommand, type ServerProcess } from '../../server/testing/process.ts';
import type { ZipPart } from '../../server/testing/zip.ts';
import { freePort } from '../postgres.ts';
import { after, type Campaign, randomBetween, startServer } from './campaign.ts';

type Tools = ReturnType<typeof deployer> & { statusOf(id: string): Promise<number> };

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
  /** Deployments whose archive was taken, by their version. */
  readonly versions = new Map<string, string>();
  readonly deleted = new Set<string>();
  readonly maybeDeleted = new Set<string>();
  /** Those that may be live; after an answer exactly one. */
  live = new Set<string>();
  acknowledged = 0;
}

/** Changes one after another until the server goes. */
async function change(tools: Tools, history: History, mark: string): Promise<void> {
  for (;;) {
    const ready = [...history.versions.keys()].filter(
      (id) => !history.deleted.has(id) && !history.maybeDeleted.has(id),
    );
    const [liveNow] = history.live;
    const others = ready.filter((id) => id !== liveNow);
    const choice = Math.random();
    const target = others[Math.floor(Math.random() * others.length)];
    if (target === undefined || choice < 0.5) {
      const { id } = await tools.call('POST', '/deployments', { applicationId: tools.applicationId });
      const version = `version ${id}`;
      history.versions.set(id, version);
      history.live.add(id);
      await tools.send(id, site(version, mark));
      history.acknowledged++;
      const { status, reason } = await tools.ended(id);
      assert.equal(status, 'ACTIVE', reason);
      history.live = new Set([id]);
    } else if (choice < 0.85) {
      history.live.add(target);
      const { live } = await tools.call('POST', `/deployments/${target}/rollback`);
      assert.equal(live, true);
      history.acknowledged++;
      history.live = new Set([target]);
    } else {
      history.maybeDeleted.add(target);
      await tools.call('DELETE', `/deployments/${target}`);
      history.acknowledged++;
      history.deleted.add(target);
    }
  }
}

/** Everything acknowledged is there, one version answers everywhere, and nothing is left behind. */
async function verify(tools: Tools, history: History, dataDir: string): Promise<void> {
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
  for (const { id, status, reason } of known) {
    if (status === 'ACTIVE') continue;
    // Killed twice in one build.
    assert.match(reason ?? '', /restarted twice/, `${id} is ${status}`);
    await tools.call('DELETE', `/deployments/${id}`);
    history.versions.delete(id);
    history.live.delete(id);
  }
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
  for (const where of ['/', '/api'])
    assert.equal((await tools.visit(host, where)).body, history.versions.get(only.id), where);
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

const isRunning = (mark: string) =>
  spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .stdout.split('\n')
    .some((line) => line.trim() === mark);

/** kill -9 of the server at any moment of deploying, rolling back and deleting. */
export const deploymentCampaigns: readonly Campaign[] = engines.map((engine) => ({
  name: `kill -9 of the server while it deploys (${engine})`,
  short: true,
  missing: () => sandboxMissing ?? undefined,
  async run(seconds) {
    await using home = await testHome(engine);
    const dataDir = home.settings['MAINSTAY_DATA_DIR'] ?? '';
    const settings = {
      ...{ ...home.settings, ...runnerSettings, MAINSTAY_BASE_URL: 'http://mainstay.test' },
      MAINSTAY_GATEWAY_PORT: String(await freePort()),
    };
    const { keys, application } = await bootstrapCommand(settings);
    const history = new History();
    const mark = `soak-${process.pid}-${engine}`;
    const isOver = after(seconds);
    const connect = async ({ url }: ServerProcess): Promise<Tools> => {
      const token = await fetchToken(url, keys.user);
      const authorization = `Bearer ${token}`;
      const tools = deployer({
        ...{ url, bootstrapped: { application } },
        listeners: new Map([['applications', `http://127.0.0.1:${settings.MAINSTAY_GATEWAY_PORT}`]]),
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
      return { ...tools, statusOf };
    };
    let kills = 0;
    let changes = 0;
    let before: ServerProcess | undefined;
    for (;;) {
      await using server = await startServer(settings);
      const tools = await connect(server);
      await verify(tools, history, dataDir);
      if (before) {
        const left = (await readdir(tmpdir())).filter((name) =>
          name.startsWith(`mainstay-run-${before?.pid}-`),
        );
        assert.deepEqual(left, [], 'folders of sandboxes are left');
      }
      if (isOver() && kills > 0) break;
      let isKilled = false;
      const changing = change(tools, history, mark).catch((error) => {
        if (!isKilled || error instanceof assert.AssertionError) throw error;
      });
      changing.catch(() => {});
      const acknowledged = history.acknowledged;
      const isLate = after(120);
      while (history.acknowledged === acknowledged && !isLate()) await sleep(20);
      await sleep(randomBetween(0, 1500));
      isKilled = true;
      await server.end('SIGKILL');
      await changing;
      changes = history.acknowledged;
      const isStuck = after(120);
      while (isRunning(mark)) {
        assert.ok(!isStuck(), 'processes of the killed server go on');
        await sleep(20);
      }
      before = server;
      kills++;
    }
    assert.ok(changes > 0, 'nothing was acknowledged: no kill proved anything');
    return `${kills} kills during ${changes} acknowledged changes`;
  },
}));
