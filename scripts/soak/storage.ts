import assert from 'node:assert/strict';
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomOperations } from '../../server/areas/storage/model.ts';
import { engines, testHome } from '../../server/testing/engines.ts';
import { fetchToken } from '../../server/testing/instance.ts';
import { bootstrapCommand, type ServerProcess, startProcess } from '../../server/testing/process.ts';
import { patchUpload } from '../../server/testing/storage.ts';
import { freePort } from '../postgres.ts';
import { after, type Campaign } from './campaign.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const operationsAtOnce = 2000;
const phases = ['opening', 'first bytes', 'between pieces', 'last bytes'] as const;

interface Node {
  files: string;
  start(): Promise<ServerProcess>;
  server: ServerProcess;
}

/** Two nodes take turns with an upload; one of them is killed in each phase of it, and the other goes on. */
const killedUploads: Campaign[] = engines.map((engine) => ({
  name: `storage: kill -9 in uploads to two nodes (${engine})`,
  async run(seconds) {
    await using home = await testHome(engine);
    const shared = {
      ...home.settings,
      MAINSTAY_BASE_URL: 'http://mainstay.test',
      MAINSTAY_LOG_LEVEL: 'error',
    };
    const { keys, application } = await bootstrapCommand(shared);
    await using stack = new AsyncDisposableStack();
    const startNode = async (): Promise<Node> => {
      const [port, adminPort, filesPort] = [await freePort(), await freePort(), await freePort()];
      const settings = { ...shared, MAINSTAY_FILES_PORT: String(filesPort) };
      const start = () => startProcess(settings, { port, adminPort });
      const node = { files: `http://127.0.0.1:${filesPort}`, start, server: await start() };
      stack.defer(async () => void (await node.server.end('SIGKILL')));
      return node;
    };
    const nodes = [await startNode(), await startNode()] as const;
    let token = await fetchToken(nodes[0].server.url, keys.application);
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
    const call = async (node: Node, method: string, path: string, body?: unknown): Promise<any> => {
      const response = await fetch(
        `${node.server.url}/applications/${application.id}/storage/buckets${path}`,
        {
          method,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        },
      );
      assert.equal(response.status, 200, await response.clone().text());
      return response.json();
    };
    await call(nodes[0], 'POST', '', { name: 'killed', visibility: 'public' });
    const done = new Map<string, string>();
    const isOver = after(seconds);
    let rounds = 0;
    do {
      const phase = phases[rounds % phases.length] as (typeof phases)[number];
      const [victim, other] = rounds % 2 === 0 ? nodes : [nodes[1], nodes[0]];
      // Tokens are good for five minutes, and this may go on for hours.
      token = await fetchToken(other.server.url, keys.application);
      const content = randomBytes(2_000_000);
      const key = `k${rounds}`;
      const kill = async () => {
        await sleep(randomInt(30));
        await victim.server.end('SIGKILL');
      };
      const body = { key, contentLength: content.length, checksumSha256: sha256(content) };
      let opening = call(victim, 'POST', '/killed/uploads', body);
      if (phase === 'opening') {
        await Promise.all([kill(), opening.catch(() => undefined)]);
        opening = call(other, 'POST', '/killed/uploads', body);
      }
      const opened = await opening;
      const { id } = opened.session;
      const { pathname } = new URL(opened.upload.url);
      let told = 0;
      /** Undefined: the node is gone. */
      const send = async (node: Node, end: number) => {
        const answer = await patchUpload(`${node.files}${pathname}`, told, content.subarray(told, end)).catch(
          () => undefined,
        );
        if (answer?.status === 204) told = Number(answer.headers.get('upload-offset'));
        return answer?.status;
      };
      if (phase === 'first bytes') await Promise.all([send(victim, 700_000), kill()]);
      if (phase === 'between pieces') {
        assert.equal(await send(victim, 700_000), 204);
        assert.equal(await send(other, 1_200_000), 204);
        await kill();
      }
      if (phase === 'last bytes') {
        assert.equal(await send(victim, 1_900_000), 204);
        await Promise.all([send(victim, content.length), kill()]);
      }
      const head = await fetch(`${other.files}${pathname}`, { method: 'HEAD' });
      const offset = Number(head.headers.get('upload-offset'));
      assert.ok(offset >= told, `${phase}: ${offset} is less than the ${told} that were confirmed`);
      told = offset;
      if (told < content.length) assert.equal(await send(other, content.length), 204, phase);
      const { state } = await call(other, 'GET', `/killed/uploads/${id}`);
      assert.equal(state, 'completed', phase);
      done.set(key, sha256(content));
      // Nothing that was stored in any round before is touched by this one.
      for (const [name, digest] of [...done].slice(-5)) {
        const bytes = await (await fetch(`${other.files}/public/killed/${name}`)).arrayBuffer();
        assert.equal(sha256(Buffer.from(bytes)), digest, `${phase}: ${name}`);
      }
      victim.server = await victim.start();
      rounds++;
    } while (!isOver());
    for (const [name, digest] of done) {
      const bytes = await (await fetch(`${nodes[0].files}/public/killed/${name}`)).arrayBuffer();
      assert.equal(sha256(Buffer.from(bytes)), digest, name);
    }
    return `${rounds} kills, ${done.size} objects whole`;
  },
}));

const models: Campaign[] = engines.map((engine) => ({
  name: `storage: random operations against a plain map (${engine})`,
  async run(seconds) {
    const isOver = after(seconds);
    let count = 0;
    do {
      await randomOperations(engine, operationsAtOnce);
      count += operationsAtOnce;
    } while (!isOver());
    return `${count} operations`;
  },
}));

export const storageCampaigns: readonly Campaign[] = [...killedUploads, ...models];
