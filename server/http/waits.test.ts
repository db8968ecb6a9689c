import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fastify from 'fastify';
import { pino } from 'pino';
import { databaseUnavailable } from '#core/db.ts';
import { noteCommit } from '#core/waits.ts';
import { problemSender } from '#http/errors.ts';
import { registerWaits } from '#http/waits.ts';
import { engines } from '#testing/engines.ts';
import { type Instance, startInstance } from '#testing/instance.ts';

/** Keeps everybody else from writing under that lock, and on SQLite from writing at all, until it is let go. */
async function holdLock({ platform }: Instance, queue: string): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>();
  const inside = Promise.withResolvers<void>();
  const holding = platform.db.write(
    async () => {
      inside.resolve();
      await held.promise;
    },
    { queue },
  );
  await inside.promise;
  return async () => {
    held.resolve();
    await holding;
  };
}

const connectionsOf = ({ app }: Instance) =>
  new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)));

for (const engine of engines) {
  describe(`waiting on ${engine}`, () => {
    test('a request that waits longer than it may is answered 503 and was not done', async () => {
      await using instance = await startInstance(engine, { settings: { MAINSTAY_WAIT_TIMEOUT: '1s' } });
      const lock = `organizations-of:${instance.bootstrapped.user.id}`;
      await instance.token('user');
      const release = await holdLock(instance, lock);
      const create = (name: string) =>
        instance.call('POST', '/organizations', { as: 'user', body: { name } });
      const late = await create('Too late');
      assert.equal(late.status, 503);
      assert.ok(late.headers.get('retry-after'));
      assert.match(late.body.error, /waited too long and was not processed/);
      await release();
      assert.equal((await create('In time')).status, 200);
      const { body } = await instance.call('GET', '/organizations', { as: 'user' });
      const names = body.items.map(({ name }: { name: string }) => name);
      assert.deepEqual(names.sort(), ['Acme', 'In time']);
    });

    test('what waits for its turn is not started once its client has gone', async () => {
      await using instance = await startInstance(engine);
      const token = await instance.token('user');
      const release = await holdLock(instance, `organizations-of:${instance.bootstrapped.user.id}`);
      const before = await connectionsOf(instance);
      const { hostname, port } = new URL(instance.url);
      const socket = connect({ host: hostname, port: Number(port) });
      await once(socket, 'connect');
      const arrived = new Promise((resolve) => instance.app.server.once('request', resolve));
      const body = JSON.stringify({ name: 'Abandoned' });
      socket.write(
        `POST /organizations HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n` +
          `content-length: ${body.length}\r\n\r\n${body}`,
      );
      await arrived;
      socket.destroy();
      while ((await connectionsOf(instance)) > before) await turn();
      await release();
      const next = await instance.call('POST', '/organizations', { as: 'user', body: { name: 'Next' } });
      assert.equal(next.status, 200);
      const listed = await instance.call('GET', '/organizations', { as: 'user' });
      const names = listed.body.items.map(({ name }: { name: string }) => name);
      assert.deepEqual(names.sort(), ['Acme', 'Next']);
    });
  });
}

test('a request that committed something before the database went away is not told that nothing was changed', async () => {
  await using app = fastify();
  app.setErrorHandler(problemSender(pino({ level: 'silent' })));
  registerWaits(app, 1);
  app.post('/', async (request) => {
    if ((request.query as { commit?: string }).commit) noteCommit();
    throw databaseUnavailable(new Error('gone'));
  });
  const before = await app.inject({ method: 'POST', url: '/' });
  assert.equal(before.statusCode, 503);
  assert.match(before.body, /Nothing was changed/);
  const after = await app.inject({ method: 'POST', url: '/?commit=1' });
  assert.equal(after.statusCode, 500);
  assert.match(after.body, /A part of the change was saved/);
  assert.equal(after.headers['retry-after'], undefined);
});
