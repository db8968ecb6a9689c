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
type Phase = (typeof phases)[number];

interface Upload {
  key: string;
  content: Buffer<ArrayBuffer>;
  /** Empty: nobody said that it is open. */
  id: string;
  url: string;
  /** How many bytes were confirmed. */
  told: number;
}

interface Node {
  files: string;
  start(): Promise<ServerProcess>;
  server: ServerProcess;
}

/** Two nodes take turns with uploads; one of them is killed while there is one in each phase, and the other continues. */
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
    const send = async (node: Node, upload: Upload, end: number) => {
      const { url, content, told } = upload;
      const answer = await patchUpload(`${node.files}${url}`, told, content.subarray(told, end)).catch(
        () => undefined,
      );
      if (answer?.status === 204) upload.told = Number(answer.headers.get('upload-offset'));
      // Undefined: the node is gone.
      return answer?.status;
    };
    const open = async (node: Node, upload: Upload) => {
      const { key, content } = upload;
      const body = { key, contentLength: content.length, checksumSha256: sha256(content) };
      const opened = await call(node, 'POST', '/killed/uploads', body);
      upload.id = opened.session.id;
      upload.url = new URL(opened.upload.url).pathname;
    };
    /** Up to the moment when the victim dies. */
    const before: Record<Phase, (victim: Node, other: Node, upload: Upload) => Promise<unknown>> = {
      opening: async () => undefined,
      'first bytes': (victim, _other, upload) => open(victim, upload),
      async 'between pieces'(victim, other, upload) {
        await open(victim, upload);
        assert.equal(await send(victim, upload, 700_000), 204);
        assert.equal(await send(other, upload, 1_200_000), 204);
      },
      async 'last bytes'(victim, _other, upload) {
        await open(victim, upload);
        assert.equal(await send(victim, upload, 1_900_000), 204);
      },
    };
    /** While it dies. */
    const meanwhile: Record<Phase, (victim: Node, upload: Upload) => Promise<unknown>> = {
      opening: (victim, upload) => open(victim, upload).catch(() => undefined),
      'first bytes': (victim, upload) => send(victim, upload, 700_000),
      'between pieces': async () => undefined,
      'last bytes': (victim, upload) => send(victim, upload, upload.content.length),
    };
    const isOver = after(seconds);
    let rounds = 0;
    do {
      const [victim, other] = rounds % 2 === 0 ? nodes : [nodes[1], nodes[0]];
      // Tokens are good for five minutes, and this may continue for hours.
      token = await fetchToken(other.server.url, keys.application);
      const uploads = phases.map((phase) => {
        const upload: Upload = {
          key: `${phase} ${rounds}`,
          content: randomBytes(2_000_000),
          id: '',
          url: '',
          told: 0,
        };
        return [phase, upload] as const;
      });
      await Promise.all(uploads.map(([phase, upload]) => before[phase](victim, other, upload)));
      const dying = sleep(randomInt(30)).then(() => victim.server.end('SIGKILL'));
      await Promise.all([dying, ...uploads.map(([phase, upload]) => meanwhile[phase](victim, upload))]);
      for (const [phase, upload] of uploads) {
        const { key, content } = upload;
        if (upload.url === '') await open(other, upload);
        const head = await fetch(`${other.files}${upload.url}`, { method: 'HEAD' });
        const offset = Number(head.headers.get('upload-offset'));
        assert.ok(
          offset >= upload.told,
          `${phase}: ${offset} is less than the ${upload.told} that were confirmed`,
        );
        upload.told = offset;
        if (offset < content.length) assert.equal(await send(other, upload, content.length), 204, phase);
        const { state } = await call(other, 'GET', `/killed/uploads/${upload.id}`);
        assert.equal(state, 'completed', phase);
        done.set(key, sha256(content));
      }
      // Nothing that was stored in the round before is touched by this one.
      for (const [name, digest] of [...done].slice(-2 * phases.length)) {
        const bytes = await (
          await fetch(`${other.files}/public/killed/${encodeURIComponent(name)}`)
        ).arrayBuffer();
        assert.equal(sha256(Buffer.from(bytes)), digest, name);
      }
      victim.server = await victim.start();
      rounds++;
    } while (!isOver());
    for (const [name, digest] of done) {
      const bytes = await (
        await fetch(`${nodes[0].files}/public/killed/${encodeURIComponent(name)}`)
      ).arrayBuffer();
      assert.equal(sha256(Buffer.from(bytes)), digest, name);
    }
    return `${rounds} kills, each in every phase, ${done.size} objects whole`;
  },
}));

/** `SOAK_OPERATIONS`: how many there are at least, however long they take. */
const models: Campaign[] = engines.map((engine) => ({
  name: `storage: random operations against a plain map (${engine})`,
  seconds: 1800,
  async run(seconds) {
    const atLeast = Number(process.env['SOAK_OPERATIONS'] ?? 0);
    const isOver = after(seconds);
    let count = 0;
    do {
      await randomOperations(engine, operationsAtOnce);
      count += operationsAtOnce;
    } while (count < atLeast || !isOver());
    return `${count} operations`;
  },
}));

export const storageCampaigns: readonly Campaign[] = [...killedUploads, ...models];
