import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Dashboard, faultsOf, openDashboard } from './screen.ts';
import { openVisitor, type Visitor } from './visitor.ts';

const screens = [
  '/design',
  '/o/acme',
  '/o',
  '/o/acme/settings',
  '/o/acme/keys',
  '/o/acme/keys?create=true',
  '/account/keys',
  '/new-organization',
  '/o/acme/apps',
  '/o/acme/apps?create=true',
  '/o/acme/variables',
  '/o/acme/variables?create=true',
  '/o/acme/variables?dialog=import',
  '/o/acme/variables?dialog=export',
  '/o/acme/variables?filter=nothing',
  '/o/acme/lookups/whois',
  '/o/acme/lookups/availability',
  '/o/acme/lookups',
  '/o/acme/lookups?names=jane@gmial.com%20mailinator.com',
  '/o/acme/lookups/threat-feeds',
  '/o/acme/lookups/overrides',
  '/o/acme/lookups/overrides?create=true',
  '/o/acme/ai',
  '/o/acme/ai/requests',
  '/o/acme/ai/models',
  '/o/acme/ai/providers',
  '/o/acme/ai/providers?create=true',
  '/o/acme/ai/budgets',
  '/o/acme/ai/budgets?create=true',
  '/o/acme/ai/policies',
  '/o/acme/ai/playground',
  '/o/acme/settings/products',
  '/o/acme/audit-log',
  '/instance',
  '/instance/users',
  '/instance/waitlist',
  '/instance/organizations',
  '/instance/threat-feeds',
  '/instance/threat-feeds/overrides',
  '/instance/oauth-apps',
  '/instance/ai',
  '/instance/ai/models',
  '/instance/audit-log',
  '/instance/settings',
];

describe('screens in both themes, on a desk and on a phone', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await openDashboard();
    const { instance, organizationId } = dashboard;
    const body = { content: 'LOG_LEVEL=info\nHOST=db.internal' };
    await instance.call('POST', `/organizations/${organizationId}/env-vars/import`, {
      as: 'organization',
      body,
    });
  });
  after(() => dashboard[Symbol.asyncDispose]());

  for (const screen of screens) {
    test(`axe finds nothing serious on ${screen}`, async () => {
      const { page, open } = dashboard;
      await open(screen);
      await page.waitForLoadState('networkidle');
      assert.deepEqual(await faultsOf(page), []);
    });
  }
});

const doors = [
  '/sign-in',
  '/sign-in?next=/o/acme/keys',
  '/sign-up',
  '/setup?token=no-such-token',
  '/forgot-password',
  '/reset-password',
  '/reset-password#no-such-token',
  '/verify-email#no-such-token',
  '/authorize?client_id=nobody',
  '/no-such-page',
];

describe('pages of one user and one member, in both themes, on a desk and on a phone', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await openDashboard();
  });
  after(() => dashboard?.[Symbol.asyncDispose]());

  test('axe finds nothing serious on them', async () => {
    const { page, open, instance, organizationId } = dashboard;
    const path = `/organizations/${organizationId}/members`;
    const [member] = (await instance.call('GET', path, { as: 'user' })).body.items;
    for (const screen of [`/o/acme/members/${member.membershipId}`, `/instance/users/${member.userId}`]) {
      await open(screen);
      await page.getByRole('region', { name: 'Details' }).waitFor();
      await page.waitForLoadState('networkidle');
      assert.deepEqual(await faultsOf(page), [], screen);
    }
  });
});

describe('pages for people who are not signed in, in both themes, on a desk and on a phone', () => {
  let dashboard: Dashboard;
  let visitor: Visitor;
  before(async () => {
    dashboard = await openDashboard();
    visitor = await openVisitor(dashboard.instance);
  });
  after(async () => {
    await visitor?.[Symbol.asyncDispose]();
    await dashboard?.[Symbol.asyncDispose]();
  });

  for (const door of doors) {
    test(`axe finds nothing serious on ${door}`, async () => {
      const { page } = visitor;
      await page.goto(door);
      await page.locator('h1').waitFor();
      await page.waitForLoadState('networkidle');
      assert.deepEqual(await faultsOf(page), []);
    });
  }
});
