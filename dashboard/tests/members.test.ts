import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addPerson, setRole } from '../../server/testing/people.ts';
import { type Dashboard, faultsOf, openDashboard } from './screen.ts';
import { openVisitor } from './visitor.ts';

describe('members and invitations', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await openDashboard();
    const person = await addPerson(dashboard.instance, 'robin@example.com');
    await setRole(dashboard.instance, person, 'MEMBER');
  });
  after(() => dashboard[Symbol.asyncDispose]());

  const roleOf = async (email: string) => {
    const path = `/organizations/${dashboard.organizationId}/members`;
    const { body } = await dashboard.instance.call('GET', path, { as: 'organization' });
    return body.items.find((one: { email: string }) => one.email === email)?.role;
  };

  test('the last owner sees why nobody can change that role', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/members');
    await page.getByText('You are the last owner.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Leave', exact: true }).count(), 0);
  });

  test('a role is changed in place, and taken back', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/members');
    await page.getByRole('combobox', { name: 'Role of robin@example.com' }).click();
    await page.getByRole('option', { name: 'Admin' }).click();
    await page.getByText('Role of robin@example.com changed to Admin').waitFor();
    assert.equal(await roleOf('robin@example.com'), 'ADMIN');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('combobox', { name: 'Role of robin@example.com' }).getByText('Member').waitFor();
    assert.equal(await roleOf('robin@example.com'), 'MEMBER');
  });

  test('the filter stands in the address', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/members');
    await page.getByLabel('Filter members').fill('robin');
    await page.waitForURL(/filter=robin/);
    await page.getByRole('row', { name: /owner@example/ }).waitFor({ state: 'detached' });
  });

  test('a second person accepts an invitation, is a member with that role, and manages nobody', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/members');
    await page.keyboard.press('c');
    await page.getByLabel('E-mail').fill('second@example.com');
    await page.getByRole('dialog').getByRole('button', { name: 'Send invitation' }).click();
    const link = await page
      .getByRole('dialog')
      .getByText(/\/invitation#/)
      .innerText();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('region', { name: 'Invitations' }).getByText('second@example.com').waitFor();

    await using second = await openVisitor(dashboard.instance);
    const { pathname, hash } = new URL(link);
    await second.page.goto(pathname + hash);
    await second.page.getByRole('heading', { name: 'Join Acme' }).waitFor();
    await second.page.getByRole('link', { name: 'Create an account' }).click();
    await second.page.getByLabel('Your name').fill('Sam Second');
    await second.page.getByLabel('E-mail').fill('second@example.com');
    await second.page.getByLabel('Password', { exact: true }).fill('seldom-plover-quartz');
    await second.page.getByRole('button', { name: 'Create account' }).click();
    await second.page.getByRole('button', { name: 'Join', exact: true }).click();
    await second.page.waitForURL(/\/o\/acme\/members/);
    await second.page.getByRole('heading', { name: 'Members' }).waitFor();
    assert.equal(await second.page.getByRole('button', { name: 'Invite member' }).count(), 0);
    assert.equal(await roleOf('second@example.com'), 'MEMBER');

    const byHand = await second.page.evaluate(async (path) => {
      const headers = { 'x-mainstay-session': '1', 'content-type': 'application/json' };
      const body = JSON.stringify({ email: 'third@example.com' });
      return (await fetch(path, { method: 'POST', headers, body })).status;
    }, `/organizations/${dashboard.organizationId}/invitations`);
    assert.equal(byHand, 403);
  });

  test('a revoked invitation cannot be opened', async () => {
    const { page, open, instance, organizationId } = dashboard;
    await open('/o/acme/members?create=true');
    await page.getByLabel('E-mail').fill('late@example.com');
    await page.getByRole('dialog').getByRole('button', { name: 'Send invitation' }).click();
    const link = await page
      .getByRole('dialog')
      .getByText(/\/invitation#/)
      .innerText();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Revoke the invitation for late@example.com' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke invitation' }).click();
    await page.getByText('Invitation revoked').waitFor();
    const { body } = await instance.call('GET', `/organizations/${organizationId}/invitations`, {
      as: 'organization',
    });
    assert.equal(body.items.length, 0);
    const { pathname, hash } = new URL(link);
    await page.goto(pathname + hash);
    await page.getByRole('alert').waitFor();
  });

  test('a member is removed after asking', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/members');
    await page.getByRole('button', { name: 'Remove robin@example.com' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove member' }).click();
    await page.getByText('robin@example.com removed').waitFor();
    assert.equal(await roleOf('robin@example.com'), undefined);
  });

  for (const screen of ['/o/acme/members', '/o/acme/members?create=true', '/invitation#no-such-token']) {
    test(`axe finds nothing serious on ${screen}`, async () => {
      const { page } = dashboard;
      await page.goto('/');
      await page.goto(screen);
      await page.locator('h1').waitFor();
      await page.waitForLoadState('networkidle');
      assert.deepEqual(await faultsOf(page), []);
    });
  }
});
