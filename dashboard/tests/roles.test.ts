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

  const refused: string[] = [];
  page.on('response', (one) => one.status() >= 400 && refused.push(`${one.status()} ${one.url()}`));
  const sections = page.getByRole('navigation', { name: 'Organization' });

  await open('/o/acme/variables');
  await page.getByRole('row').filter({ hasText: 'LOG_LEVEL' }).waitFor();
  await page.getByRole('button', { name: 'New variable' }).waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('button', { name: 'Edit LOG_LEVEL' }).count(), 0);
  assert.equal(await sections.getByRole('link', { name: 'API keys' }).count(), 0);

  for (const forbidden of ['/o/acme/audit-log', '/o/acme/keys']) {
    await open(forbidden);
    await page.getByRole('heading', { name: 'You do not have access to this page' }).waitFor();
  }
  for (const screen of [
    '/o/acme',
    '/o/acme/members',
    '/o/acme/settings',
    '/o/acme/lookups',
    '/o/acme/settings/products',
  ]) {
    await open(screen);
    await page.waitForLoadState('networkidle');
  }
  assert.deepEqual(refused, [], 'nothing is asked for that the API refuses');

  const answer = await page.request.post(path, { headers: pageHeaders, data: { key: 'MINE', value: '1' } });
  assert.equal(answer.status(), 403);
});
