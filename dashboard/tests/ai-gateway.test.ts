import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type MockProvider, startAiProvider } from '../../server/testing/ai-provider.ts';
import { type Dashboard, openDashboard } from './screen.ts';

describe('the screens of the AI gateway', () => {
  let mock: MockProvider;
  let dashboard: Dashboard;
  before(async () => {
    mock = await startAiProvider();
    dashboard = await openDashboard();
  });
  after(async () => {
    await dashboard?.[Symbol.asyncDispose]();
    await mock?.[Symbol.asyncDispose]();
  });

  test('an operator adds a provider at a private address, tests it, and prices its model', async () => {
    const { page, open } = dashboard;
    await open('/instance/ai?create=true');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Provider', { exact: true }).click();
    await page.getByRole('option', { name: 'Other (OpenAI-compatible)' }).click();
    await dialog.getByLabel('Short name').fill('mock');
    await dialog.getByLabel('Address', { exact: true }).fill(`${mock.url}/v1`);
    await dialog.getByLabel('Models').fill('tiny');
    await dialog.getByRole('checkbox', { name: 'Allow a private address' }).click();
    await dialog.getByRole('button', { name: 'Add provider' }).click();
    await page.getByText('Provider added').waitFor();
    await page.getByRole('button', { name: 'Test connection' }).click();
    await page.getByText(/Responded after|Not connected/).waitFor();
    await open('/instance/ai/models');
    await page.getByRole('button', { name: 'Set price' }).click();
    await dialog.getByLabel('Model', { exact: true }).fill('mock/tiny');
    await dialog.getByLabel('Input', { exact: true }).fill('1000');
    await dialog.getByLabel('Output', { exact: true }).fill('2000');
    await dialog.getByRole('button', { name: 'Set price' }).click();
    await page.getByText('Price set').waitFor();
  });

  test('the playground streams an answer, which shows as a request with its attempts and its cost', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/ai/playground');
    await page.getByLabel('Message').fill('Hello');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/tokens in, .* out/).waitFor();
    await open('/o/acme/ai/requests');
    await page.getByRole('row').filter({ hasText: 'mock/tiny' }).first().press('Enter');
    await page.waitForURL(/\/ai\/requests\/[0-9a-f-]{36}/);
    await page
      .getByRole('table', { name: 'Attempts over time' })
      .getByText('mock', { exact: true })
      .waitFor();
    await open('/o/acme/ai');
    await page.getByRole('heading', { name: '1 request' }).waitFor();
    await page.getByRole('row').filter({ hasText: 'mock/tiny' }).first().waitFor();
  });

  test('the playground makes images and speech, and shows the same as code', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/ai/playground?kind=images');
    await page.getByRole('combobox', { name: 'Model' }).fill('mock/tiny');
    await page.getByLabel('Description').fill('A cat');
    await page.getByRole('button', { name: 'Create images' }).click();
    await page.getByRole('img', { name: 'Image 1' }).waitFor({ state: 'attached' });
    await page.getByText(/Responded after/).waitFor();
    await page.getByRole('tab', { name: 'openai' }).click();
    await page.getByText('client.images.generate').waitFor();
    await page.getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'Speech' }).click();
    await page.getByRole('combobox', { name: 'Model' }).fill('mock/tiny');
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Hello');
    await page.getByRole('button', { name: 'Create speech' }).click();
    await page.locator('audio[src^="blob:"]').waitFor();
    await page.getByText('client.audio.speech.create').waitFor();
    assert.equal(mock.seen.at(-1)?.body, '{"model":"tiny","voice":"alloy","input":"Hello"}');
    await page.getByRole('combobox', { name: 'Model' }).fill('mock/fault:400');
    await page.getByRole('button', { name: 'Create speech' }).click();
    await page.getByRole('alert').waitFor();
  });

  test('a budget that is too small refuses the next request, and says so', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/ai/budgets?create=true');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Cost in dollars').fill('0.000001');
    await dialog.getByRole('button', { name: 'Create budget' }).click();
    await page.getByText('Budget created').waitFor();
    await page.getByRole('img', { name: /^Cost: / }).waitFor();
    await open('/o/acme/ai/playground');
    await page.getByLabel('Message').fill('Hello again');
    await page.getByRole('button', { name: 'Send' }).click();
    await page
      .getByRole('alert')
      .getByText(/budget/i)
      .waitFor();
    assert.equal(await page.getByLabel('Message').inputValue(), 'Hello again');
    await open('/o/acme/ai/requests');
    await page.getByRole('row').filter({ hasText: 'budget_exceeded' }).first().press('Enter');
    await page.getByText('budget_exceeded: A budget had no room').waitFor();
  });

  test('on a phone the tab of the screen is in view, however far to the right it is', async () => {
    const { page, open } = dashboard;
    const usual = page.viewportSize();
    await page.setViewportSize({ width: 390, height: 844 });
    await open('/o/acme/ai/playground');
    const tab = page
      .getByRole('navigation', { name: 'AI gateway' })
      .getByRole('link', { name: 'Playground' });
    await page.waitForFunction(
      (link) => link !== null && link.getBoundingClientRect().right <= innerWidth,
      await tab.elementHandle(),
    );
    if (usual) await page.setViewportSize(usual);
  });

  test('an alias is created, explained with what serves it, and deleted', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/ai/aliases?create=true');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Alias', { exact: true }).fill('fast');
    await dialog.getByLabel('Models').fill('mock/tiny\nmock/other');
    await dialog.getByRole('button', { name: 'Create alias' }).click();
    await page.getByText('Alias created').waitFor();
    await page.getByText('mock/other').waitFor();
    await open('/o/acme/ai/explain');
    await page.getByLabel('Model or alias').fill('fast');
    await page.getByRole('button', { name: 'Explain', exact: true }).click();
    await page.getByText('mock/tiny would serve this request').waitFor();
    await page.getByRole('list', { name: 'Candidates' }).getByText('Serves').waitFor();
    await page.getByRole('checkbox', { name: 'Zero data retention only' }).click();
    await page.getByRole('button', { name: 'Explain', exact: true }).click();
    await page.getByText('No provider would serve this request').waitFor();
    await page
      .getByRole('list', { name: 'Candidates' })
      .getByText(/zero data retention/i)
      .first()
      .waitFor();
    await open('/o/acme/ai/aliases');
    await page.getByRole('button', { name: 'Delete fast' }).click();
    await page.getByRole('button', { name: 'Delete alias' }).click();
    await page.getByText('No aliases').waitFor();
  });

  test('a policy of the organization hides a model', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/ai/policies');
    await page.getByRole('button', { name: 'Edit policy' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Allowed models').fill('other/*');
    await dialog.getByRole('button', { name: 'Save policy' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('other/*').waitFor();
    await open('/o/acme/ai/models');
    await page.getByText('No models yet').waitFor();
  });
});
