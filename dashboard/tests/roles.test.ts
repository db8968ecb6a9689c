import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setRole } from '../../server/testing/people.ts';
import { openDashboard, pageHeaders } from './screen.ts';

test('a member sees no buttons for what only admins may do, and the API refuses it all the same', async () => {
  await using dashboard = await openDashboard();
  const { page, open, instance, organizationId } = dashboard;
  const path = `/organizations/${organizationId}/env-vars`;
  await instance.call('POST', path, { as: 'organization', body: { key: 'LOG_LEVEL', value: 'info' } });
  const { body } = await instance.call('GET', `/organizations/${organizationId}/members`, {
    as: 'organization',
  });
  await setRole(instance, { id: body.items[0].userId }, 'MEMBER');

  await open('/o/acme/variables');
  await page.getByRole('row').filter({ hasText: 'LOG_LEVEL' }).waitFor();
  await page.getByRole('button', { name: 'New variable' }).waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('button', { name: 'Edit LOG_LEVEL' }).count(), 0);

  const answer = await page.request.post(path, { headers: pageHeaders, data: { key: 'MINE', value: '1' } });
  assert.equal(answer.status(), 403);

  await open('/o/acme/audit-log');
  await page
    .getByRole('alert')
    .filter({ hasText: /ADMIN|role|allowed/i })
    .waitFor();
});
