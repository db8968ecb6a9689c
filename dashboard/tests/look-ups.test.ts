import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type FakeRdap, fakeRdap, sendRdap } from '../../server/areas/whois/testing/rdap-server.ts';
import { type Dashboard, openDashboard } from './screen.ts';

const answer = {
  objectClassName: 'domain',
  ldhName: 'acme.com',
  status: ['active'],
  events: [
    { eventAction: 'registration', eventDate: '2001-02-03T00:00:00Z' },
    { eventAction: 'expiration', eventDate: '2090-01-01T00:00:00Z' },
  ],
  entities: [{ roles: ['registrant'], vcardArray: ['vcard', [['fn', {}, 'text', '<b>Jane</b> Doe']]] }],
};

describe('the screens that look things up', () => {
  let registry: FakeRdap;
  let dashboard: Dashboard;
  before(async () => {
    registry = await fakeRdap((request, response) => {
      if (request.url?.endsWith('free.com')) response.writeHead(404).end();
      else sendRdap(response, answer);
    });
    dashboard = await openDashboard({
      settings: {
        MAINSTAY_WHOIS_RDAP_SERVICES: `com=${registry.url}`,
        MAINSTAY_WHOIS_BOOTSTRAP_URL: `${registry.url}list`,
        MAINSTAY_WHOIS_PRIVATE_ADDRESSES: '127.0.0.2/32',
      },
    });
  });
  after(async () => {
    await dashboard[Symbol.asyncDispose]();
    await registry[Symbol.asyncDispose]();
  });

  test('whois shows a card and the JSON beside it, and what a registry writes is only text', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/lookups/whois');
    await page.getByLabel('Look up a domain').fill('acme.com');
    await page.keyboard.press('Enter');
    await page.waitForURL(/domain=acme\.com/);
    const registrant = page.getByRole('region', { name: 'Registrant' });
    await registrant.getByText('<b>Jane</b> Doe').waitFor();
    assert.equal(await page.locator('b').count(), 0);
    await page.locator('pre').getByText('"registrant"').waitFor();
  });

  test('whois says of a free name that it is free', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/lookups/whois?domain=free.com');
    await page
      .locator('main')
      .getByText(/free\.com/i)
      .last()
      .waitFor();
    assert.equal(await page.getByRole('alert').count(), 0);
  });

  test('reputation tells what was meant by a mistyped address, and why a domain is bad', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/lookups');
    await page.getByLabel('Domains or e-mail addresses').fill('jane@gmial.com, mailinator.com');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'jane@gmail.com' }).waitFor();
    const card = page.getByRole('region', { name: 'mailinator.com' });
    await card.getByText('Not recommended').waitFor();
    await card.getByText('Disposable e-mail').first().waitFor();
  });

  test('an override changes what is answered, and its deletion can be taken back', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/lookups/overrides');
    await page.getByText('No overrides').waitFor();
    await page.keyboard.press('c');
    await page.getByLabel('Domain', { exact: true }).fill('mailinator.com');
    await page.getByLabel('Action', { exact: true }).click();
    await page.getByRole('option', { name: /Allow/ }).click();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('Override for mailinator.com created').waitFor();
    const { body } = await dashboard.instance.call('GET', '/web-reputation/domain?domain=mailinator.com', {
      as: 'application',
    });
    assert.equal(body[0].status, 'neutral');
    // A person who looks it up here sees what the organization sees.
    await open('/o/acme/lookups?names=mailinator.com');
    await page.getByText('Allowed by your organization').waitFor();
    await open('/o/acme/lookups/overrides');
    await page.getByRole('button', { name: 'Delete mailinator.com' }).click();
    await page.getByText('No overrides').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('row').filter({ hasText: 'mailinator.com' }).waitFor();
  });

  test('lists show their age, and open to their licence and source', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/lookups/threat-feeds?filter=disposable-names');
    await page.getByRole('row').filter({ hasText: 'disposable-names' }).press('Enter');
    await page.getByRole('dialog').getByText('Licence').waitFor();
  });
});
