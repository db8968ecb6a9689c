import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Instance, startInstance } from '#testing/instance.ts';

describe('paging as existing clients ask for it', () => {
  let instance: Instance;
  before(async () => {
    instance = await startInstance('sqlite');
    for (const name of ['One', 'Two', 'Three', 'Four'])
      await instance.call('POST', '/organizations', { as: 'user', body: { name } });
    for (const name of ['a', 'b']) {
      const body = { name, scopes: ['openid'] };
      assert.equal((await instance.call('POST', '/api-keys', { as: 'user', body })).status, 200);
    }
  });
  after(() => instance[Symbol.asyncDispose]());

  for (const path of ['/organizations', '/api-keys', '/admin/users']) {
    test(`${path}: every nextCursor is taken as cursor, until a page has none`, async () => {
      const seen: string[] = [];
      let total = 0;
      for (let cursor = ''; ; ) {
        const query = `perPage=2&page=1${cursor ? `&cursor=${cursor}` : ''}`;
        const { status, body } = await instance.call('GET', `${path}?${query}`, { as: 'user' });
        assert.equal(status, 200);
        assert.ok(body.items.length <= 2);
        seen.push(...body.items.map(({ id }: { id: string }) => id));
        total = body.total;
        if (!body.nextCursor) break;
        cursor = body.nextCursor;
        assert.ok(seen.length <= total, 'the list pages for ever');
      }
      assert.equal(new Set(seen).size, seen.length);
      assert.equal(seen.length, total);
    });

    test(`${path}: a page by number is refused, and the sentence names cursor`, async () => {
      const { status, body } = await instance.call('GET', `${path}?page=2`, { as: 'user' });
      assert.equal(status, 400);
      assert.match(body.error, /cursor/);
    });

    test(`${path}: perPage has the bounds of limit, and limit wins`, async () => {
      assert.equal((await instance.call('GET', `${path}?perPage=0`, { as: 'user' })).status, 400);
      const { body } = await instance.call('GET', `${path}?perPage=50&limit=1`, { as: 'user' });
      assert.equal(body.items.length, 1);
    });
  }
});
