import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Browser, signedUp } from '../../server/testing/browser.ts';
import { type Instance, startInstance } from '../../server/testing/instance.ts';
import { totpOf } from '../../server/testing/totp.ts';
import { startDevice } from './device.ts';
import { faultsOf } from './screen.ts';
import { openVisitor, type Visitor } from './visitor.ts';

const email = 'pat@example.com';
const password = 'seldom-plover-quartz';

describe('profile and security', () => {
  let instance: Instance;
  let visitor: Visitor;
  before(async () => {
    instance = await startInstance('sqlite', { settings: { MAINSTAY_BASE_URL: 'http://localhost' } });
    await signedUp(instance.url, email, { name: 'Pat' });
    visitor = await openVisitor(instance);
    await signIn();
  });
  after(async () => {
    await visitor[Symbol.asyncDispose]();
    await instance[Symbol.asyncDispose]();
  });

  const signIn = async () => {
    const { page } = visitor;
    await page.goto('/sign-in?next=/account/security');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    // Inside, or at the second step.
    await page.locator('h1', { hasNotText: 'Sign in' }).waitFor();
  };
  const signOut = () => visitor.page.context().clearCookies();

  test('a name is changed and seen at once', async () => {
    const { page } = visitor;
    await page.goto('/account');
    await page.getByLabel('Display name').fill('Pat the Second');
    await page.getByRole('button', { name: 'Save name' }).click();
    await page.getByRole('button', { name: 'Account of Pat the Second' }).first().waitFor();
  });

  test('a picture is uploaded, shown, and removed', async () => {
    const { page } = visitor;
    await page.goto('/account');
    const card = page.getByRole('region', { name: 'Picture' });
    const buffer = await page.screenshot();
    await card.getByLabel('Picture').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer });
    await page.getByText('Picture changed').waitFor();
    await card.locator('img[src^="/idp/pictures/"]').waitFor();
    await card
      .getByLabel('Picture')
      .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('none') });
    await page.getByText('The picture cannot be read').first().waitFor();
    await card.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Picture deleted').waitFor();
    await card.locator('img').waitFor({ state: 'detached' });
  });

  test('an OAuth app is shown with what it may do, and revoked', async () => {
    const { page } = visitor;
    const device = await startDevice(instance.url);
    await page.goto(device.page);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByText('The device is signed in').waitFor();
    const granted = await device.redeem();
    const { refresh_token = '' } = (await granted.json()) as { refresh_token?: string };
    assert.equal(granted.status, 200);

    await page.goto('/account/security');
    const programs = page.getByRole('list', { name: 'OAuth apps with access' });
    await programs.getByText('Permissions').click();
    await programs.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke access' }).click();
    await page.getByText('no longer has access to your account').waitFor();
    await programs.waitFor({ state: 'detached' });
    assert.equal((await device.refresh(refresh_token)).status, 400);
  });

  test('another session is shown and ended', async () => {
    const { page } = visitor;
    await page.goto('/account/security');
    const list = page.getByRole('list', { name: 'Sessions' });
    await list.getByText('This browser').waitFor();
    await list.getByRole('button', { name: 'End' }).first().click();
    await page.getByText('Session ended').waitFor();
    await list.getByRole('listitem').nth(1).waitFor({ state: 'detached' });
    await list.getByText('This browser').waitFor();
  });

  test('a passkey is added, named, used to sign in, and removed', async () => {
    const { page } = visitor;
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.goto('/account/security');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Work laptop');
    await page.getByRole('button', { name: 'Save name' }).click();
    await page.getByRole('list', { name: 'Passkeys' }).getByText('Work laptop').waitFor();

    await signOut();
    await page.goto('/sign-in?next=/account/security');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('heading', { name: 'Security' }).waitFor();

    await page.getByRole('button', { name: 'Remove Work laptop' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove passkey' }).click();
    await page.getByText('Work laptop removed').waitFor();
    await page.getByRole('list', { name: 'Passkeys' }).waitFor({ state: 'detached' });
  });

  test('an authenticator app is turned on, asked for at the next sign-in, and turned off', async () => {
    const { page } = visitor;
    await page.goto('/account/security');
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByLabel('Your password').fill(password);
    const enabled = page.waitForResponse('**/idp/two-factor/enable');
    await page.getByRole('button', { name: 'Go on' }).click();
    const { totpURI } = await (await enabled).json();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('img', { name: 'Setup key as a QR code' }).waitFor();
    await dialog.getByText(new URL(totpURI).searchParams.get('secret') ?? '').waitFor();
    await dialog.getByRole('textbox', { name: 'Code' }).fill(totpOf(totpURI));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    const recovery = await page
      .getByRole('list', { name: 'Recovery codes' })
      .getByRole('listitem')
      .first()
      .innerText();
    await page.getByRole('button', { name: 'I have saved the codes' }).click();

    await signOut();
    await signIn();
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(recovery);
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('heading', { name: 'Security' }).waitFor();

    await page.getByRole('button', { name: 'Turn off' }).click();
    await page.getByLabel('Your password').fill('not the password');
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await page.getByLabel('Your password').fill(password);
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
    await page.getByText('Authenticator app turned off').waitFor();
  });

  test('a password is changed after the old one was given, and signs in', async () => {
    const { page } = visitor;
    const change = async (from: string, to: string) => {
      await page.getByLabel('Current password').fill(from);
      await page.getByLabel('New password').fill(to);
      await page.getByRole('button', { name: 'Change password' }).click();
    };
    await page.goto('/account');
    await change('not the password', 'thistle-copper-vane');
    await page.getByRole('region', { name: 'Password' }).getByRole('alert').waitFor();
    await change(password, 'thistle-copper-vane');
    await page.getByText('Password changed').waitFor();
    assert.equal((await new Browser(instance.url).signIn(email, password)).status, 401);
    await change('thistle-copper-vane', password);
    await page.getByLabel('Current password').and(page.locator('[value=""]')).waitFor();
    assert.equal((await new Browser(instance.url).signIn(email, password)).status, 200);
  });

  test('the history says in words what happened', async () => {
    const { page } = visitor;
    await page.goto('/account');
    const history = page.getByRole('list', { name: 'History' });
    await history.getByText('Password changed').first().waitFor();
    await history.getByText('Passkey removed: Work laptop').waitFor();
    await history.getByText('Access of an OAuth app revoked: mainstay-cli').waitFor();
    assert.equal(await history.getByText(/[a-z]+[.][a-z_]+ed\b/).count(), 0);
  });

  for (const screen of ['/account', '/account/security']) {
    test(`axe finds nothing serious on ${screen}`, async () => {
      const { page } = visitor;
      await page.goto(screen);
      await page.locator('main h1').waitFor();
      await page.waitForLoadState('networkidle');
      assert.deepEqual(await faultsOf(page), []);
    });
  }

  test('an account is deleted after its password, and is gone', async () => {
    const { page } = visitor;
    await page.goto('/account');
    await page.getByRole('button', { name: 'Delete account' }).click();
    await page.getByLabel('Your password').fill(password);
    await page.getByRole('button', { name: 'Delete permanently' }).click();
    await page.waitForURL(/sign-in/);
    const answer = await instance.call('GET', '/admin/users?search=pat@example.com', { as: 'user' });
    assert.equal(answer.body.items?.length ?? 0, 0);
  });
});
