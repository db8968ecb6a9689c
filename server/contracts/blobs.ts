import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { BlobMissing, type Blobs, blobNameAt, newBlobName } from '#core/blobs.ts';

/** What every engine of blobs promises. `open` opens a new node on one and the same engine, empty at first. */
export function blobsContract(name: string, open: () => Promise<Blobs>): void {
  describe(`blobs contract: ${name}`, () => {
    let blobs: Blobs;
    let other: Blobs;

    before(async () => {
      blobs = await open();
      other = await open();
    });
    after(async () => {
      await other?.[Symbol.asyncDispose]();
      await blobs?.[Symbol.asyncDispose]();
    });

    const all = { start: 0, end: 1 << 30 };
    const content = async (node: Blobs, blob: string, range = all) =>
      Buffer.concat(await Array.fromAsync(await node.stream(blob, range)));

    test('a blob is on every node, whole, once put has resolved', async () => {
      const blob = newBlobName();
      const bytes = randomBytes(100_000);
      assert.equal(await blobs.put(blob, bytes), bytes.length);
      for (const node of [blobs, other]) {
        assert.ok((await content(node, blob)).equals(bytes));
        assert.ok((await node.read(blob, { start: 0, end: bytes.length })).equals(bytes));
      }
    });

    test('a stream of unknown length is stored, in chunks that are used again', async () => {
      const blob = newBlobName();
      const digest = createHash('sha256');
      const lengths = [...Array(30).fill(700_001), ...Array(30).fill(7001)];
      async function* chunks() {
        const memory = Buffer.alloc(700_001);
        for (const [count, length] of lengths.entries()) {
          const chunk = memory.subarray(0, length).fill(count + 1);
          digest.update(chunk);
          yield chunk;
        }
      }
      assert.equal(await blobs.put(blob, chunks()), 30 * 707_002);
      const stored = createHash('sha256');
      for await (const chunk of await other.stream(blob, all)) stored.update(chunk);
      assert.equal(stored.digest('hex'), digest.digest('hex'));
    });

    test('any range of a blob is given, and only it', async () => {
      const blob = newBlobName();
      const bytes = randomBytes(600_000);
      await blobs.put(blob, bytes);
      for (const [start, end] of [
        [0, 1],
        [5, 5],
        [599_999, 600_000],
        [100, 400_000],
        [599_000, 700_000],
        [600_000, 600_001],
      ] as const) {
        const expected = bytes.subarray(start, end);
        assert.ok((await content(blobs, blob, { start, end })).equals(expected), `stream ${start}-${end}`);
        assert.ok((await blobs.read(blob, { start, end })).equals(expected), `read ${start}-${end}`);
      }
    });

    test('an empty blob is a blob', async () => {
      const blob = newBlobName();
      assert.equal(await blobs.put(blob, Buffer.alloc(0)), 0);
      assert.equal((await content(other, blob)).length, 0);
      assert.equal((await other.read(blob, all.end > 1 ? { start: 0, end: 1 } : all)).length, 0);
    });

    test('what is missing is missing before the first byte', async () => {
      const blob = newBlobName();
      await assert.rejects(blobs.stream(blob, all), BlobMissing);
      await assert.rejects(blobs.read(blob, { start: 0, end: 1 }), BlobMissing);
    });

    for (const size of [10, 20 * 1024 * 1024]) {
      test(`content that breaks off after ${size} bytes leaves nothing`, async () => {
        const blob = newBlobName();
        async function* broken() {
          yield Buffer.alloc(size);
          throw new Error('cut off');
        }
        await assert.rejects(blobs.put(blob, broken()), /cut off/);
        await assert.rejects(blobs.stream(blob, all), BlobMissing);
      });
    }

    test('a stream that is left early is closed, and the blob can be read again', async () => {
      const blob = newBlobName();
      await blobs.put(blob, randomBytes(2_000_000));
      for (let count = 0; count < 60; count++) {
        for await (const chunk of await blobs.stream(blob, all)) {
          assert.ok(chunk.length > 0);
          break;
        }
      }
      assert.equal((await content(blobs, blob)).length, 2_000_000);
    });

    test('deleted blobs are gone, and deleting what is not there is no error', async () => {
      const blob = newBlobName();
      await blobs.put(blob, Buffer.from('x'));
      await other.delete([newBlobName(), blob, newBlobName()]);
      await assert.rejects(blobs.read(blob, { start: 0, end: 1 }), BlobMissing);
      await other.delete([blob]);
    });

    test('blobs are listed in order of their names, page by page, from any moment on', async () => {
      const far = Date.UTC(2200, 0, 1);
      const made: string[] = [];
      // More than three days apart, and together.
      for (const days of [0, 0, 0, 1, 5, 5, 40]) {
        const blob = newBlobNameAt(far + days * 86_400_000);
        made.push(blob);
        await blobs.put(blob, Buffer.from(blob));
      }
      made.sort();
      const found: string[] = [];
      for (let after = blobNameAt(far - 1); ; ) {
        const page = await other.list({ after, limit: 3 });
        for (const entry of page) {
          assert.equal(entry.size, 32);
          assert.ok(Math.abs(entry.writtenAt - Date.now()) < 60_000);
          found.push(entry.name);
        }
        if (page.length < 3) break;
        after = found.at(-1) as string;
      }
      assert.deepEqual(found, made);
      const later = await blobs.list({ after: blobNameAt(far + 2 * 86_400_000), limit: 100 });
      assert.deepEqual(
        later.map((entry) => entry.name),
        made.slice(4),
      );
    });
  });
}

/** Made by hand: ids of one process never go back in time. */
function newBlobNameAt(time: number): string {
  return blobNameAt(time).slice(0, 12) + randomBytes(10).toString('hex');
}
