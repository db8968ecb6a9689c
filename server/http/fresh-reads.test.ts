import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines, testHome } from '#testing/engines.ts';
import { fetchToken, startInstance } from '#testing/instance.ts';

for (const engine of engines) {
  const how = engine === 'sqlite' ? 'at once' : 'at once with Cache-Control: no-cache';
  test(`what one node has acknowledged, another obeys ${how} (${engine})`, async () => {
    await using home = await testHome(engine);
    await using one = await startInstance(engine, { home });
    await using two = await startInstance(engine, { home });
    const headers: Record<string, string> =
      engine === 'sqlite' ? {} : { 'cache-control': 'max-age=0, no-cache' };
    for (let round = 0; round < 10; round++) {
      const made = await one.call('POST', '/api-keys', {
        as: 'user',
        body: { name: `key ${round}` },
      });
      const as = { token: await fetchToken(one.url, made.body) };
      assert.equal((await two.call('GET', '/api-keys', { as })).status, 200);
      await one.call('DELETE', `/api-keys/${made.body.id}`, { as: 'user' });
      assert.equal((await two.call('GET', '/api-keys', { as, headers })).status, 401, `round ${round}`);
    }
  });
}
