import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { Browser, password, signedUp } from '#testing/browser.ts';
import { engines } from '#testing/engines.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import { type MailServer, startMailServer } from '#testing/mail-server.ts';

/** E-mails: addresses confirmed and moved, passwords reset. */

const mailFrom = { MAINSTAY_MAIL_FROM: 'mainstay@example.com' };

for (const engine of engines) {
  describe(`emails on ${engine}`, () => {
    let instance: Instance;
    let mail: MailServer;
    before(async () => {
      mail = await startMailServer();
      const settings = { ...mailFrom, MAINSTAY_SMTP_URL: mail.url, MAINSTAY_SIGN_UPS_PER_ADDRESS: '1000' };
      instance = await startInstance(engine, { settings });
    });
    after(async () => {
      await instance[Symbol.asyncDispose]();
      await mail[Symbol.asyncDispose]();
    });

    const tokenIn = (email: string, page: string) =>
      new RegExp(`/${page}#([^\\s]+)`).exec(email)?.[1] ?? assert.fail(email);
    const post = (browser: Browser, path: string, body: object) => browser.call('POST', path, { body });
    const join = async (email: string) => {
      const browser = new Browser(instance.url);
      const made = await post(browser, '/idp/sign-up/email', { email, password, name: 'Reader' });
      assert.deepEqual(made.body, { status: true, verification: 'mail' });
      return browser;
    };
    const joined = async (email: string) => {
      const browser = await join(email);
      const token = tokenIn(await mail.emailTo(email), 'verify-email');
      assert.equal((await post(browser, '/idp/verify-email', { token })).status, 200);
      assert.equal((await browser.signIn(email, password)).status, 200);
      return browser;
    };

    test('an address is confirmed before the first sign-in', async () => {
      const browser = await join('new@example.com');
      const early = await browser.signIn('new@example.com', password);
      assert.equal(early.status, 403);
      assert.equal(early.body.code, 'EMAIL_NOT_VERIFIED');
      const token = tokenIn(await mail.emailTo('new@example.com'), 'verify-email');
      assert.equal((await post(browser, '/idp/verify-email', { token: `${token}x` })).status, 401);
      assert.equal((await post(browser, '/idp/verify-email', { token })).status, 200);
      // The link proves the address, not the person: it signs nobody in.
      assert.equal((await browser.call('GET', '/idp/session')).body.user, null);
      assert.equal((await browser.signIn('new@example.com', password)).status, 200);
    });

    test('who signs up with a known address learns nothing; its owner gets an e-mail', async () => {
      await joined('known@example.com');
      await join('known@example.com');
      await mail.emailTo('known@example.com', 'You already have an account');
    });

    test('a reset link works once, ends every session, and is bound to its account', async () => {
      const browser = await joined('forgetful@example.com');
      const stranger = new Browser(instance.url);
      const answer = await post(stranger, '/idp/request-password-reset', { email: 'Forgetful@Example.com' });
      assert.equal(answer.status, 200);
      const email = await mail.emailTo('forgetful@example.com', '/reset-password#');
      const token = tokenIn(email, 'reset-password');
      const next = 'thistle-copper-vane';
      assert.equal((await post(stranger, '/idp/reset-password', { token, newPassword: next })).status, 200);
      assert.equal(
        (await post(stranger, '/idp/reset-password', { token, newPassword: `${next}-2` })).status,
        400,
      );
      assert.equal((await browser.call('GET', '/idp/session')).body.user, null);
      assert.equal((await stranger.signIn('forgetful@example.com', next)).status, 200);
    });

    test('a link to another address is void once everything of the account has ended', async () => {
      const browser = await joined('thief@example.com');
      await post(browser, '/idp/change-email', { newEmail: 'stolen@example.com' });
      const token = tokenIn(await mail.emailTo('thief@example.com', 'stolen@example.com'), 'verify-email');
      assert.equal((await browser.call('POST', '/idp/sessions/end-others')).status, 200);
      const { status, body } = await post(browser, '/idp/verify-email', { token });
      assert.equal(status, 401);
      assert.equal(body.code, 'INVALID_TOKEN');
    });

    test('invitations are bounded by recipient, organization and sender', async () => {
      const settings = {
        ...mailFrom,
        MAINSTAY_SMTP_URL: mail.url,
        MAINSTAY_MAILS_PER_RECIPIENT: '2',
        MAINSTAY_INVITATIONS_PER_ORGANIZATION: '5',
        MAINSTAY_INVITATIONS_PER_SENDER: '4',
      };
      await using bounded = await startInstance(engine, { settings });
      const path = `/organizations/${bounded.bootstrapped.organization.id}/invitations`;
      const invite = async (email: string, as: 'user' | 'organization' = 'user') =>
        (await bounded.call('POST', path, { as, body: { email } })).status;
      assert.deepEqual(
        [await invite('one@example.net'), await invite('ONE@example.net'), await invite('one@example.net')],
        [200, 200, 429],
      );
      assert.deepEqual([await invite('two@example.net'), await invite('three@example.net')], [200, 200]);
      // This sender has had four, the organization one more.
      assert.equal(await invite('four@example.net'), 429);
      assert.equal(await invite('five@example.net', 'organization'), 200);
      assert.equal(await invite('six@example.net', 'organization'), 429);
    });

    test('an address moves when both the old and the new one have agreed', async () => {
      const browser = await joined('old@example.com');
      assert.equal((await post(browser, '/idp/change-email', { newEmail: 'moved@example.com' })).status, 200);
      const first = await mail.emailTo('old@example.com', 'moved@example.com');
      const agreed = tokenIn(first, 'verify-email');
      const stranger = new Browser(instance.url);
      assert.equal((await post(stranger, '/idp/verify-email', { token: agreed })).status, 401);
      const { status, body } = await post(browser, '/idp/verify-email', { token: agreed });
      assert.equal(status, 200);
      assert.deepEqual(body, { status: true, sentTo: 'moved@example.com' });
      assert.equal((await browser.call('GET', '/idp/session')).body.user.email, 'old@example.com');
      const token = tokenIn(await mail.emailTo('moved@example.com'), 'verify-email');
      assert.equal((await post(browser, '/idp/verify-email', { token })).status, 200);
      assert.equal((await new Browser(instance.url).signIn('moved@example.com', password)).status, 200);
      assert.equal((await new Browser(instance.url).signIn('old@example.com', password)).status, 401);
    });

    test('nobody’s mailbox is flooded: five e-mails of a kind an hour', async () => {
      await joined('flooded@example.com');
      const browser = new Browser(instance.url);
      for (let count = 0; count < 8; count++)
        await post(browser, '/idp/request-password-reset', { email: 'flooded@example.com' });
      await new Promise((resolve) => setTimeout(resolve, 200));
      const resets = mail.emails.filter(
        (one) => one.includes('To: flooded@') && one.includes('/reset-password#'),
      );
      assert.equal(resets.length, 5);
    });
  });

  describe(`breached passwords on ${engine}`, () => {
    test('are refused where a service knows them; only five characters of their digest leave', async () => {
      const asked: string[] = [];
      const digest = hash('sha1', password).toUpperCase();
      const service = createServer((request, response) => {
        asked.push(request.url ?? '');
        response.end(`${digest.slice(5)}:3\r\n${'0'.repeat(35)}:0\r\n`);
      }).listen(0, '127.0.0.1');
      await once(service, 'listening');
      const { port } = service.address() as { port: number };
      const settings = { MAINSTAY_BREACHED_PASSWORDS_URL: `http://127.0.0.1:${port}/range/` };
      await using instance = await startInstance(engine, { settings });
      const join = (wanted: string) =>
        new Browser(instance.url).call('POST', '/idp/sign-up/email', {
          body: { email: 'breached@example.com', password: wanted, name: 'B' },
        });
      assert.equal((await join(password)).body.code, 'PASSWORD_BREACHED');
      assert.deepEqual(asked, [`/range/${digest.slice(0, 5)}`]);
      assert.equal((await join('thistle-copper-vane')).status, 200);
      service.close();
      service.closeAllConnections();
      // A service that is away keeps nobody out.
      await signedUp(instance.url, 'unchecked@example.com');
    });
  });
}
