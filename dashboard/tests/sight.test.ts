import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Dashboard, faultsOf, openDashboard } from './screen.ts';

const screens = [
  '/design',
  '/o/acme',
  '/o',
  '/o/acme/settings',
  '/o/acme/keys',
  '/o/acme/keys?create=true',
  '/account/keys',
  '/new-organization',
  '/o/acme/variables',
  '/o/acme/variables?create=true',
  '/o/acme/variables?dialog=import',
  '/o/acme/variables?dialog=export',
  '/o/acme/variables?filter=nothing',
  '/o/acme/cache',
  '/o/acme/whois',
  '/o/acme/whois/availability',
  '/o/acme/reputation',
  '/o/acme/reputation?names=jane@gmial.com%20mailinator.com',
  '/o/acme/reputation/lists',
  '/o/acme/reputation/overrides',
  '/o/acme/reputation/overrides?create=true',
  '/o/acme/products',
  '/o/acme/audit-log',
  '/operator',
  '/operator/users',
  '/operator/waitlist',
  '/operator/organizations',
  '/operator/lists',
  '/operator/overrides',
  '/operator/programs',
  '/operator/audit-log',
  '/operator/settings',
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
