import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { S3Load } from '../../server/areas/s3/testing/load.ts';
import { engines, testHome } from '../../server/testing/engines.ts';
import { fetchToken } from '../../server/testing/instance.ts';
import { bootstrapCommand } from '../../server/testing/process.ts';
import { newS3Client } from '../../server/testing/s3-client.ts';
import { after, type Campaign, randomBetween, startServer } from './campaign.ts';

/** kill -9 under writers of S3: what was acknowledged is read back whole, and nothing that is read was torn. */
const kills: Campaign[] = engines.map((engine) => ({
  name: `kill -9 under writers of S3 (${engine})`,
  async run(seconds) {
    await using home = await testHome(engine);
    const settings = { ...home.settings, MAINSTAY_BASE_URL: 'http://mainstay.test' };
    const { keys, application } = await bootstrapCommand(settings);
    const isOver = after(seconds);
    let load: S3Load | undefined;
    let count = 0;
    do {
      await using server = await startServer(settings);
      if (!load) {
        const token = await fetchToken(server.url, keys.application);
        const response = await fetch(`${server.url}/applications/${application.id}/storage/s3-credentials`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: '{}',
        });
        assert.equal(response.status, 200);
        load = new S3Load((await response.json()) as { accessKeyId: string; secretAccessKey: string });
        await load.prepare(newS3Client(`${server.url}/s3`, load.keys));
      }
      const client = newS3Client(`${server.url}/s3`, load.keys);
      await load.verify(client);
      let dead = false;
      const before = load.acknowledged;
      const writing = load.run(client, { writers: 6, isOver: () => dead });
      // A kill before anything was acknowledged proves nothing.
      const isLate = after(20);
      await sleep(randomBetween(100, 600));
      while (load.acknowledged === before && !isLate()) await sleep(randomBetween(1, 50));
      await server.end('SIGKILL');
      dead = true;
      await writing;
      client.destroy();
      count++;
    } while (!isOver());
    await using server = await startServer(settings);
    const client = newS3Client(`${server.url}/s3`, load.keys);
    const report = await load.verify(client);
    client.destroy();
    assert.ok(load.acknowledged > 0, 'nothing was acknowledged: no kill proved anything');
    return `${count} kills: ${report}`;
  },
}));

const fuzzFile = path.join(import.meta.dirname, '../../server/areas/s3/fuzz.test.ts');

/** A million inputs for each parser, in whatever time that takes. */
const fuzz: Campaign = {
  name: 'a million inputs for the parsers of S3',
  async run() {
    const env = { ...process.env, S3_FUZZ_ROUNDS: '1000000' };
    // A test that is started by a test reports to it instead of failing itself.
    delete (env as Record<string, string | undefined>)['NODE_TEST_CONTEXT'];
    const child = spawn(process.execPath, [fuzzFile], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const [code] = (await once(child, 'exit')) as [number | null];
    assert.equal(code, 0, output);
    return 'every input was read or refused';
  },
};

export const s3Campaigns: readonly Campaign[] = [...kills, fuzz];
