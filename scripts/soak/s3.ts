import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { S3Load } from '../../server/areas/s3/testing/load.ts';
import { engines, testHome } from '../../server/testing/engines.ts';
import { bootstrapCommand, type ServerProcess } from '../../server/testing/process.ts';
import { aws, bytesOf, makeS3Keys, newS3Client, type S3Keys } from '../../server/testing/s3-client.ts';
import { after, type Campaign, randomBetween, runTests, startServer } from './campaign.ts';

/**
 * kill -9 under writers of S3 on two nodes: what was acknowledged is read back whole from the one that lives, and nothing
 * that is read was torn.
 */
const kills: Campaign[] = engines.map((engine) => ({
  name: `kill -9 under writers of S3 on two nodes (${engine})`,
  async run(seconds) {
    await using home = await testHome(engine);
    const settings = { ...home.settings, MAINSTAY_BASE_URL: 'http://mainstay.test' };
    const { keys, application } = await bootstrapCommand(settings);
    await using stack = new AsyncDisposableStack();
    const nodes = [await startServer(settings), await startServer(settings)];
    stack.defer(async () => {
      for (const node of nodes) await node.end('SIGKILL');
    });
    const clientAt = (at: number) => newS3Client(`${(nodes[at] as ServerProcess).url}/s3`, load.keys);
    const load = new S3Load(
      await makeS3Keys((nodes[0] as ServerProcess).url, keys.application, application.id),
    );
    const first = clientAt(0);
    await load.prepare(first);
    first.destroy();
    const isOver = after(seconds);
    let count = 0;
    do {
      const victim = count % 2;
      const [dying, living] = [clientAt(victim), clientAt(1 - victim)];
      let dead = false;
      const before = load.acknowledged;
      // Each node has writers of its own, on keys that no other writer has.
      const writing = Promise.all(
        [dying, living].map((client, node) =>
          load.run(client, { writers: 4, from: ((node + victim) % 2) * 4, isOver: () => dead }),
        ),
      );
      // A kill before anything was acknowledged proves nothing.
      const isLate = after(20);
      await sleep(randomBetween(100, 600));
      while (load.acknowledged === before && !isLate()) await sleep(randomBetween(1, 50));
      await (nodes[victim] as ServerProcess).end('SIGKILL');
      dead = true;
      await writing;
      await load.verify(living);
      for (const client of [dying, living]) client.destroy();
      nodes[victim] = await startServer(settings);
      count++;
    } while (!isOver());
    const client = clientAt(count % 2);
    const report = await load.verify(client);
    client.destroy();
    assert.ok(load.acknowledged > 0, 'nothing was acknowledged: no kill proved anything');
    return `${count} kills: ${report}`;
  },
}));

const partBytes = 5 * 1024 * 1024;

/** kill -9 while an upload in parts is completed, by two clients at once: it is there whole, or can be completed still. */
const killedCompletes: Campaign[] = engines.map((engine) => ({
  name: `kill -9 while S3 uploads are completed (${engine})`,
  async run(seconds) {
    await using home = await testHome(engine);
    const settings = { ...home.settings, MAINSTAY_BASE_URL: 'http://mainstay.test' };
    const { keys, application } = await bootstrapCommand(settings);
    const content = Buffer.concat([randomBytes(partBytes), randomBytes(1000)]);
    const Bucket = 'completed';
    const isOver = after(seconds);
    const counts = { before: 0, after: 0 };
    let credential: S3Keys | undefined;
    let round = 0;
    do {
      const Key = `k${round % 5}`;
      content.writeUInt32BE(round);
      const expected = createHash('sha256').update(content).digest('hex');
      let upload: { UploadId: string | undefined; MultipartUpload: { Parts: aws.CompletedPart[] } };
      let answered = false;
      {
        await using server = await startServer(settings);
        if (!credential) {
          credential = await makeS3Keys(server.url, keys.application, application.id);
          const first = newS3Client(`${server.url}/s3`, credential);
          await first.send(new aws.CreateBucketCommand({ Bucket }));
          first.destroy();
        }
        const client = newS3Client(`${server.url}/s3`, credential);
        const { UploadId } = await client.send(new aws.CreateMultipartUploadCommand({ Bucket, Key }));
        const Parts: aws.CompletedPart[] = [];
        for (const [at, Body] of [content.subarray(0, partBytes), content.subarray(partBytes)].entries()) {
          const part = { Bucket, Key, UploadId, PartNumber: at + 1 };
          const { ETag } = await client.send(new aws.UploadPartCommand({ ...part, Body }));
          Parts.push({ PartNumber: at + 1, ETag });
        }
        upload = { UploadId, MultipartUpload: { Parts } };
        const complete = () =>
          client.send(new aws.CompleteMultipartUploadCommand({ Bucket, Key, ...upload })).then(
            () => {
              answered = true;
            },
            () => undefined,
          );
        const completing = Promise.all([complete(), complete()]);
        await sleep(randomBetween(0, 25));
        await server.end('SIGKILL');
        await completing;
        client.destroy();
      }
      await using server = await startServer(settings);
      const client = newS3Client(`${server.url}/s3`, credential);
      const { Uploads = [] } = await client.send(new aws.ListMultipartUploadsCommand({ Bucket }));
      const isOpen = Uploads.some(({ UploadId }) => UploadId === upload.UploadId);
      assert.ok(!(answered && isOpen), 'an upload that was completed is open again');
      if (isOpen) counts.before++;
      else counts.after++;
      // A client that lost the answer asks again.
      await client.send(new aws.CompleteMultipartUploadCommand({ Bucket, Key, ...upload }));
      const found = await bytesOf(await client.send(new aws.GetObjectCommand({ Bucket, Key })));
      assert.equal(createHash('sha256').update(found).digest('hex'), expected);
      client.destroy();
      round++;
    } while (!isOver());
    return `${round} kills, ${counts.before} before the commit and ${counts.after} after it, every object whole`;
  },
}));

const fuzz: Campaign = {
  name: 'a million inputs for the parsers of S3',
  seconds: 3600,
  async run() {
    await runTests('server/areas/s3/fuzz.test.ts', { S3_FUZZ_ROUNDS: '1000000' });
    return 'every input was read or refused';
  },
};

const clients: Campaign = {
  name: 'clients of S3 with 1000 files and 200 MiB',
  seconds: 3600,
  async run() {
    await runTests('acceptance/s3-clients.test.ts', { S3_CLIENT_FILES: '1000', S3_CLIENT_MIB: '200' });
    return 'every file came back as it was';
  },
};

export const s3Campaigns: readonly Campaign[] = [...kills, ...killedCompletes, fuzz, clients];
