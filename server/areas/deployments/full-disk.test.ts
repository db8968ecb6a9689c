import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { testHome } from '#testing/engines.ts';

const mounts = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

/** One is usual; twenty times that, for machines that are busy. */
const mostSeconds = 20;

test('a full disk: uploads are 507, deployments fail and say why, and what is live continues', {
  skip: mounts ? false : 'this machine lets nobody mount a file system of its own',
}, async (t) => {
  await using home = await testHome('sqlite');
  const child = path.join(import.meta.dirname, 'full-disk-child.ts');
  const script = 'mkdir "$1" && mount -t tmpfs -o size=96m tmpfs "$1" && exec "$2" "$3" "$1"';
  const parameters = [path.join(home.folder, 'disk'), process.execPath, child];
  const { stdout, stderr } = spawnSync('unshare', ['-rm', 'sh', '-c', script, 'sh', ...parameters], {
    encoding: 'utf8',
    timeout: 240_000,
  });
  assert.notEqual(stdout, '', stderr);
  const { upload, meanwhile, afterwards, ...failed } = JSON.parse(stdout);
  const one = ['page one', 'one'];
  assert.equal(upload, 507);
  for (const what of ['unpacking the archive', 'publishing', 'starting', 'building', 'a full database']) {
    const { reason, seconds, ...seen } = failed[what];
    const left = { builds: [], unpacking: [], caches: [] };
    assert.deepEqual(seen, { status: 'FAILED', answers: one, left }, what);
    const where = what === 'starting' ? 'server.js: ' : '';
    assert.ok(reason.startsWith(`${where}The disk of the server is full.`), reason);
    assert.match(reason, /has to make room/);
    t.diagnostic(`${what}: failed after ${seconds.toFixed(1)} s`);
    assert.ok(seconds < mostSeconds, `${what}: ${seconds} s`);
  }
  assert.deepEqual(meanwhile, { status: 'BUILDING', answers: one });
  assert.deepEqual(afterwards, { status: 'ACTIVE', answers: ['page two', 'two'] });
});
