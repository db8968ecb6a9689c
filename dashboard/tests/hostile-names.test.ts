import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { signedUp } from '../../server/testing/browser.ts';
import { setRole } from '../../server/testing/people.ts';
import { type Dashboard, openDashboard, pageHeaders } from './screen.ts';

/** Would call `taken` when a page took it for markup, for an attribute's end or for a script. */
const hostile = `"'><img src=x onerror=taken()><script>taken()</script>{{taken()}}`;
const link = 'javascript:taken()';

describe('names that people give, in every screen that shows them', () => {
  let dashboard: Dashboard;
  const complaints: string[] = [];

  before(async () => {
    dashboard = await openDashboard();
    const { instance, page, organizationId } = dashboard;
    page.on('dialog', (dialog) => void dialog.dismiss().then(() => complaints.push(dialog.message())));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (line) => {
      if (/Content Security Policy/.test(line.text())) complaints.push(line.text());
    });
    await page.exposeFunction('taken', () => complaints.push('a name was run'));
    const organization = `/organizations/${organizationId}`;
    const call = async (method: string, path: string, data?: object) => {
      const answer = await page.request.fetch(path, {
        method,
        headers: pageHeaders,
        ...(data ? { data } : {}),
      });
      assert.ok(answer.ok(), `${method} ${path}: ${await answer.text()}`);
      return answer.json();
    };
    await call('PATCH', organization, { name: hostile });
    await call('PATCH', '/idp/profile', { name: hostile, givenName: hostile, familyName: hostile });
    await call('POST', '/api-keys', { name: hostile });
    await call('POST', '/api-keys', { name: hostile, organizationId });
    await call('POST', `${organization}/env-vars`, { key: 'HOSTILE', value: hostile });
    await call('POST', `${organization}/env-vars`, { key: 'LINK', value: link });
    await call('POST', `${organization}/web-reputation/overrides`, {
      domain: 'evil.example',
      action: 'block',
      note: hostile,
    });
    const member = await signedUp(instance.url, 'mallory@example.com', { name: hostile });
    await setRole(instance, (await member.call('GET', '/idp/session')).body.user, 'MEMBER');
    await call('POST', '/admin/oauth-clients', {
      name: hostile,
      redirectUris: ['https://app.example/callback'],
      scopes: ['openid'],
    });
  });
  after(() => dashboard[Symbol.asyncDispose]());

  /** Screens, and how often each shows the name at least. */
  const screens: [path: string, shown: number][] = [
    ['/o', 1],
    ['/o/acme', 1],
    ['/o/acme/settings', 0],
    ['/o/acme/members', 2],
    ['/o/acme/keys', 1],
    ['/account/keys', 1],
    ['/o/acme/audit-log', 1],
    ['/o/acme/lookups/overrides', 1],
    ['/o/acme/settings/products', 0],
    ['/account', 0],
    ['/account/security', 0],
    ['/instance', 0],
    ['/instance/users', 1],
    ['/instance/organizations', 1],
    ['/instance/oauth-apps', 1],
    ['/instance/threat-feeds/overrides', 0],
    ['/instance/audit-log', 0],
  ];
  for (const [path, shown] of screens) {
    test(`nothing of them is run on ${path}`, async () => {
      const { page, open } = dashboard;
      await open(path);
      await page.waitForLoadState('networkidle');
      const found = await page.locator('main').getByText(hostile).count();
      assert.ok(found >= shown, `shown ${found} times`);
      assert.deepEqual(complaints, []);
    });
  }

  test('nothing of a value is run when it is revealed, nor is it a link', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/variables');
    for (const name of ['HOSTILE', 'LINK']) await page.getByRole('button', { name: `Show ${name}` }).click();
    const table = page.getByRole('table', { name: 'Environment variables' });
    await table.getByText(hostile).waitFor();
    await table.getByText(link).waitFor();
    assert.equal(await page.locator('a[href^="javascript:"]').count(), 0);
    assert.deepEqual(complaints, []);
  });

  test('another site cannot put the dashboard into a frame', async () => {
    const { page, instance } = dashboard;
    const other = await page.context().newPage();
    await other.goto('about:blank');
    await other.setContent(`<iframe src="${instance.url}/o" width="800" height="600"></iframe>`);
    const [, frame] = other.frames();
    await frame?.waitForURL(/^chrome-error:/);
    await other.close();
  });
});
