import { after } from 'node:test';
import { cacheEngines, cacheHome } from '#testing/caches.ts';
import { cacheContract, contractBytes } from '../contracts/cache.ts';

for (const engine of cacheEngines) {
  const home = await cacheHome(engine, contractBytes);
  after(() => home[Symbol.asyncDispose]());
  cacheContract(engine, home.open);
}
