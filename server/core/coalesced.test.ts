import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Coalesced } from './coalesced.ts';

/** Work that ends when it is told to. */
function manual() {
  const runs: PromiseWithResolvers<void>[] = [];
  const begun: (() => void)[] = [];
  const coalesced = new Coalesced(() => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    for (const tell of begun.splice(0)) tell();
    return run.promise;
  });
  const next = () => new Promise<void>((resolve) => begun.push(resolve));
  return { coalesced, runs, next };
}

test('calls during a run are one run more, which begins when that has ended', async () => {
  const { coalesced, runs, next } = manual();
  const first = next();
  const one = coalesced.run();
  await first;
  const later = [coalesced.run(), coalesced.run(), coalesced.run()];
  assert.equal(runs.length, 1);
  const second = next();
  runs[0]?.resolve();
  await one;
  await second;
  assert.equal(runs.length, 2);
  runs[1]?.resolve();
  await Promise.all(later);
  await coalesced.idle();
  assert.equal(runs.length, 2);
});

test('a run that fails fails for those who asked for it, and the next one begins all the same', async () => {
  const { coalesced, runs, next } = manual();
  const first = next();
  const failing = coalesced.run();
  await first;
  const second = next();
  const after = coalesced.run();
  runs[0]?.reject(new Error('broken'));
  await assert.rejects(failing, /broken/);
  await second;
  runs[1]?.resolve();
  await after;
});
