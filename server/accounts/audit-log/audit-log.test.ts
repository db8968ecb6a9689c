import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '#core/ids.ts';
import { announce } from '#core/notifications.ts';
import { engines } from '#testing/engines.ts';
import { fetchToken, type Instance, startInstance } from '#testing/instance.ts';
import { auditActions } from '../../migrations/0210_audit_actions.ts';
import { revokedInvitations } from '../../migrations/0250_revoked_invitations.ts';
import { insert as insertRecord } from './store.ts';

for (const engine of engines) {
  describe(`the audit log on ${engine}`, () => {
    let instance: Instance;
    let path: string;
    before(async () => {
      instance = await startInstance(engine);
      path = `/organizations/${instance.bootstrapped.organization.id}/audit-log`;
    });
    after(() => instance[Symbol.asyncDispose]());

    const read = (query = '', as: 'user' | 'organization' | 'application' = 'user') =>
      instance.call('GET', `${path}${query}`, { as });

    test('a change is recorded with its actor, target and request, and without its secret', async () => {
      const made = await instance.call('POST', '/api-keys', {
        as: 'organization',
        body: { name: 'recorded' },
      });
      const { status, body } = await read('?action=api_key.created&limit=1');
      assert.equal(status, 200);
      const [record] = body.items;
      assert.equal(record.target.id, made.body.id);
      assert.deepEqual(record.actor, { type: 'organization', id: instance.bootstrapped.organization.id });
      assert.equal(record.requestId, made.headers.get('x-request-id'));
      assert.equal(record.details.name, 'recorded');
      assert.equal(JSON.stringify(body).includes(made.body.secret), false);
    });

    test('a change that fails leaves no record', async () => {
      const { body: before } = await read();
      await instance.call('POST', '/api-keys', { as: 'organization', body: { name: ' ' } });
      assert.equal((await read()).body.total, before.total);
    });

    test('an action is matched by its beginning too, and the choices are listed', async () => {
      const some = await read('?action=api_key.*&limit=100');
      assert.ok(some.body.items.length > 0);
      assert.ok(some.body.items.every(({ action }: { action: string }) => action.startsWith('api_key.')));
      assert.equal((await read('?action=apixkey.*')).body.total, 0, 'an underscore stands for itself');
      const path = `/organizations/${instance.bootstrapped.organization.id}/audit-log/facets`;
      const { status, body } = await instance.call('GET', path, { as: 'organization' });
      assert.equal(status, 200);
      assert.ok(body.actions.includes('api_key.created') && body.targetTypes.includes('api_key'));
      for (const { id, name } of body.actors) assert.ok(id && name !== undefined);
      const all = await instance.call('GET', '/admin/audit-log/facets', { as: 'user' });
      assert.ok(all.body.actions.length >= body.actions.length);
    });

    test('it is newest first, pages, and filters by actor, action, target and time', async () => {
      const { body: key } = await instance.call('POST', '/api-keys', {
        as: 'organization',
        body: { name: 'filtered' },
      });
      await instance.call('DELETE', `/api-keys/${key.id}`, { as: 'organization' });
      const byTarget = (await read(`?targetId=${key.id}`)).body;
      assert.deepEqual(
        byTarget.items.map((item: { action: string }) => item.action),
        ['api_key.revoked', 'api_key.created'],
      );
      const first = (await read('?limit=1')).body;
      assert.equal(first.items.length, 1);
      const next = (await read(`?limit=1&cursor=${first.nextCursor}`)).body;
      assert.ok(next.items[0].id < first.items[0].id);
      const actor = instance.bootstrapped.organization.id;
      assert.ok(
        (await read(`?actorId=${actor}`)).body.items.every(
          (item: { actor: { id: string } }) => item.actor.id === actor,
        ),
      );
      const at = byTarget.items[0].createdAt;
      assert.equal((await read(`?targetId=${key.id}&from=${at}`)).body.total >= 1, true);
      assert.equal((await read(`?targetId=${key.id}&to=2020-01-01T00:00:00Z`)).body.total, 0);
      assert.equal((await read('?targetType=nothing')).body.total, 0);
    });

    test('actions that had another name are renamed in older records, and are found by it, too', async () => {
      const { db } = instance.platform;
      const organization = instance.bootstrapped.organization.id;
      const old = [
        'invitation.withdrawn',
        'user.changed',
        'organization.image_removed',
        'member.role_changed',
        'domain.added',
      ];
      const insert = (action: string) =>
        db.write((tx) =>
          insertRecord(tx, {
            ...{ id: newId(), organization_id: organization, actor_type: 'system', actor_id: null, action },
            target_type: 'test',
            target_id: null,
            request_id: null,
            details: '{}',
            created_at: Date.now(),
          }),
        );
      const actions = async (query = '') => {
        const { body } = await read(`?targetType=test&limit=100${query}`);
        return body.items.map(({ action }: { action: string }) => action).sort();
      };
      const now = [
        'domain.created',
        'invitation.revoked',
        'member.role_updated',
        'organization.image_deleted',
        'user.updated',
      ];
      for (const action of [...old, 'api_key.created']) await insert(action);
      assert.deepEqual(await actions(), ['api_key.created', ...now], 'of a node that is older');
      await db.write((tx) => auditActions.up(tx, {} as never, {} as never));
      await db.write((tx) => revokedInvitations.up(tx, {} as never, {} as never));
      assert.deepEqual(await actions(), ['api_key.created', ...now]);
      assert.deepEqual(await actions('&action=user.changed'), ['user.updated']);
      assert.deepEqual(await actions('&action=user.updated'), ['user.updated']);
      const left = await db.selectFrom('audit_log').select('id').where('action', 'in', old).execute();
      assert.deepEqual(left, []);
    });

    test('malformed filters are refused with 400', async () => {
      for (const query of [
        '?from=yesterday',
        '?limit=0',
        '?limit=101',
        '?limit=abc',
        '?cursor=%20',
        '?cursor=xyz',
      ]) {
        const { status, body } = await read(query);
        assert.equal(status, 400, query);
        assert.deepEqual(Object.keys(body), ['error']);
      }
    });

    test('applications may not read it, members neither, strangers see no organization', async () => {
      assert.equal((await read('', 'application')).status, 403);
      assert.equal((await read('', 'organization')).status, 200);
      const { db } = instance.platform;
      const { user, organization } = instance.bootstrapped;
      const setRole = (role: 'OWNER' | 'MEMBER') =>
        db.write(async (tx) => {
          await tx.updateTable('memberships').set({ role }).where('user_id', '=', user.id).execute();
          announce(tx, 'membership', `${user.id}:${organization.id}`);
        });
      await setRole('MEMBER');
      assert.equal((await read()).status, 403);
      await setRole('OWNER');
      for (const id of ['01900000-0000-7000-8000-000000000000', 'nonsense']) {
        const { status, body } = await instance.call('GET', `/organizations/${id}/audit-log`, { as: 'user' });
        assert.equal(status, 404);
        assert.deepEqual(Object.keys(body), ['error']);
      }
    });

    test('an organization sees nothing of another’s', async () => {
      await using elsewhere = await startInstance(engine);
      const token = await fetchToken(elsewhere.url, elsewhere.bootstrapped.keys.organization);
      const other = `/organizations/${elsewhere.bootstrapped.application.id}/audit-log`;
      assert.equal((await elsewhere.call('GET', other, { as: { token } })).status, 404);
    });
  });
}
