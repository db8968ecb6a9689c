import { after } from 'node:test';
import { blobEngines, blobHome } from '#testing/blobs.ts';
import { blobsContract } from '../contracts/blobs.ts';

for (const engine of blobEngines) {
  const home = await blobHome(engine);
  after(() => home[Symbol.asyncDispose]());
  blobsContract(engine, home.open);
}
