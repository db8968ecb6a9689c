import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { password } from '../../server/testing/browser.ts';
import { type Instance, startInstance } from '../../server/testing/instance.ts';
import { type MailServer, startMailServer } from '../../server/testing/mail-server.ts';
import { faultsOf } from './screen.ts';
import { openVisitor, type Visitor } from './visitor.ts';

const newPassword = 'thistle-copper-vane';

/** What a user does with the links in e-mails. */
describe('e-mails', () => {
  const stack = new AsyncDisposableStack();
  let mail: MailServer;
  let instance: Instance;
  let visitor: Visitor;
  before(async () => {
    mail = stack.use(await startMailServer());
    const settings = {
      MAINSTAY_BASE_URL: 'http://localhost',
      MAINSTAY_SMTP_URL: mail.url,
      MAINSTAY_MAIL_FROM: 'mainstay@example.com',
    };
    instance = stack.use(await startInstance('sqlite', { settings }));
    visitor = stack.use(await openVisitor(instance));
  });
  after(() => stack.disposeAsync());

  /** Opens the link of the newest e-mail to that address that has that text in it. */
  const openLink = async (address: string, path: string, text: string = path) => {
    const email = await mail.emailTo(address, text);
    const [link = assert.fail(email)] = new RegExp(`http://localhost/${path}#\\S+`).exec(email) ?? [];
    // A page that differs only behind the `#` would not be loaded again.
    await visitor.page.goto('about:blank');
    await visitor.page.goto(link);
  };
  const signIn = async (email: string, secret: string) => {
    const { page } = visitor;
    await page.goto('/sign-in?next=/account');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(secret);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };
  const inside = () => visitor.page.getByRole('heading', { name: 'Profile' }).waitFor();

  test('a new person confirms the address, and only then signs in', async () => {
    const { page } = visitor;
    await page.goto('/sign-up');
    await page.getByLabel('Your name').fill('New Person');
    await page.getByLabel('E-mail').fill('new@example.com');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await signIn('new@example.com', password);
    await page.getByText('Confirm your e-mail address first').waitFor();

    await openLink('new@example.com', 'verify-email');
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('heading', { name: 'Confirmed' }).waitFor();
    // The token stays in no history.
    assert.equal(new URL(page.url()).hash, '');
    await signIn('new@example.com', password);
    await inside();
    await page.getByText('Confirmed', { exact: true }).waitFor();
  });

  test('an account moves to another address when both mailboxes have agreed', async () => {
    const { page } = visitor;
    await page.goto('/account');
    await page.getByLabel('New e-mail').fill('moved@example.com');
    await page.getByRole('button', { name: 'Change e-mail' }).click();
    await page.getByText('Check the inbox of new@example.com').waitFor();
    await openLink('new@example.com', 'verify-email', 'moved@example.com');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('heading', { name: 'One more step' }).waitFor();
    await page.getByText('moved@example.com').waitFor();
    await openLink('moved@example.com', 'verify-email');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('heading', { name: 'Confirmed' }).waitFor();
    await page.goto('/account');
    await page.getByRole('region', { name: 'E-mail' }).getByText('moved@example.com').waitFor();
  });

  test('who forgot the password sets another by a link that works once', async () => {
    const { page } = visitor;
    await page.context().clearCookies();
    await page.goto('/sign-in');
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    // The page before it has a field of this name too: what is typed there would be lost.
    await page.getByRole('heading', { name: 'Reset your password' }).waitFor();
    await page.getByLabel('E-mail').fill('moved@example.com');
    await page.getByRole('button', { name: 'Send reset link' }).click();
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
    const set = async () => {
      await openLink('moved@example.com', 'reset-password');
      await page.getByLabel('New password').fill(newPassword);
      await page.getByRole('button', { name: 'Set password' }).click();
    };
    await set();
    await page.getByText('Password set').waitFor();
    await set();
    await page.getByRole('alert').waitFor();
    await signIn('moved@example.com', newPassword);
    await inside();
  });
});
