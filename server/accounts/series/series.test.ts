import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TestClock } from '#testing/clock.ts';
import { engines } from '#testing/engines.ts';
import { fetchToken, type Instance, startInstance } from '#testing/instance.ts';
import { addPerson } from '#testing/people.ts';
import { StoredSeries } from './service.ts';

const usage = async (instance: Instance, range = '24h') => {
  const path = `/organizations/${instance.bootstrapped.organization.id}/usage?range=${range}`;
  const { status, body } = await instance.call('GET', path, { as: 'organization' });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};

for (const engine of engines) {
  describe(`usage over time on ${engine}`, () => {
    test('requests of clients are counted, and is there after a restart', async () => {
      await using instance = await startInstance(engine);
      const { keys } = instance.bootstrapped;
      await fetchToken(instance.url, keys.organization);
      const as = 'application';
      await instance.call('POST', '/fastcache', { as, body: { key: 'a', value: '1' } });
      await instance.call('GET', '/fastcache?key=a', { as });
      assert.equal((await instance.call('GET', '/fastcache?key=b', { as })).status, 404);
      await instance.call('GET', '/organizations/nothing', { as: 'organization' });
      // Closing hands over and writes what was counted, as the tasks do every few seconds.
      await instance.app.close();
      const { db, clock } = instance.platform;
      const { totals } = await new StoredSeries({ db, clock }).course(
        instance.bootstrapped.organization.id,
        '24h',
      );
      // The key of the organization, its token for the calls, and that of the application.
      assert.equal(totals.tokensIssued, 3);
      assert.equal(totals.cacheHits, 1);
      assert.equal(totals.cacheMisses, 1);
      assert.equal(totals.requests, 4);
      assert.equal(totals.clientErrors, 2);
      assert.equal(totals.serverErrors, 0);
    });

    test('points lie where they belong, of two nodes they add up, and old ones are swept', async () => {
      const clock = new TestClock();
      await using instance = await startInstance(engine, { clock });
      const { db } = instance.platform;
      const organizationId = instance.bootstrapped.organization.id;
      const [one, two] = [new StoredSeries({ db, clock }), new StoredSeries({ db, clock })];
      one.add(organizationId, 'requests', 5);
      two.add(organizationId, 'requests', 7);
      one.sample('memoryBytes', 100);
      two.sample('memoryBytes', 300);
      for (const node of [one, two]) node.measure(organizationId, 'storageBytes', 5000);
      await Promise.all([one.flush(), two.flush()]);
      clock.advance(40 * 60);
      one.add(organizationId, 'requests', 2);
      await one.flush();
      const day = await one.course(organizationId, '24h');
      const points = day.counters.requests;
      assert.equal(points.length, 48);
      assert.equal(day.totals.requests, 14);
      assert.deepEqual(
        day.levels.storageBytes.filter((one) => one !== null),
        [5000],
      );
      assert.equal(points.at(-1), 2);
      assert.equal(Math.max(...points), 12);
      assert.equal(
        Math.max(...(await one.course(null, '7d')).gauges.memoryBytes.map((one) => one ?? 0)),
        200,
      );

      clock.advance(25 * 3600);
      const next = await one.course(organizationId, '24h');
      assert.equal(next.totals.requests, 0);
      assert.equal(next.previous.requests, 14);
      clock.advance(62 * 86_400);
      await one.sweep();
      assert.deepEqual(
        await db.selectFrom('series_points').select('at').where('subject', '=', organizationId).execute(),
        [],
      );
    });

    test('strangers see nothing of it, and what the instance does is for operators', async () => {
      await using instance = await startInstance(engine);
      const stranger = await addPerson(instance, 'stranger@example.com');
      const path = `/organizations/${instance.bootstrapped.organization.id}/usage`;
      assert.equal((await instance.call('GET', path, { as: stranger })).status, 404);
      assert.equal((await instance.call('GET', '/admin/usage', { as: stranger })).status, 403);
      const { status, body } = await instance.call('GET', '/admin/usage?range=7d', { as: 'user' });
      assert.equal(status, 200);
      assert.equal(body.gauges.memoryBytes.length, 56);
      assert.equal((await instance.call('GET', `${path}?range=1y`, { as: 'user' })).status, 400);
      assert.equal((await usage(instance)).counters.requests.length, 48);
    });
  });
}
