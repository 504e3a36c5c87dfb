// A fresh server: its first person adds a provider, and everybody asks its models without a reload.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { PASSWORD } from '../../support/browser/app.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { answered, ask, composer, messages, modelPicker, openNewChat } from '../../support/browser/chat.ts';

const stage = withApp({ OPENAI_API_KEY: '', OLLAMA_URL: 'off', EGRESS_ALLOWED_HOSTS: '127.0.0.1' });

async function register(page: Page, name: string): Promise<void> {
  await page.goto('/register');
  await page.getByLabel('Full name').fill(name);
  await page.getByLabel('Email', { exact: true }).fill(`${name}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await composer(page).waitFor();
}

test('the first person adds a provider, and everybody asks it at once', async () => {
  const { page } = await stage.visitor();
  await page.goto('/');
  await page.getByRole('heading', { name: 'Create the first account' }).waitFor();
  await page.getByText('You will administer this server.').waitFor();
  // Nobody can sign in yet.
  await page.getByLabel('Full name').waitFor();
  for (const name of ['Sign in with a passkey', 'Log in', 'Forgot password?'])
    expect(await page.getByText(name).count(), name).toBe(0);
  await expectAccessible(page);
  await register(page, 'ada');
  const card = page.getByTestId('first-provider');
  await card.getByText('You are the first person here', { exact: false }).waitFor();
  await expectAccessible(page);

  const { page: other } = await stage.visitor();
  await register(other, 'bob');
  await other.getByText('An administrator of this site can add a model', { exact: false }).waitFor();
  expect(await other.getByTestId('first-provider').count()).toBe(0);

  await card.getByRole('link', { name: 'Add a provider' }).click();
  const form = page.getByRole('form', { name: 'Add a provider' });
  const key = form.getByLabel('API key', { exact: true });
  await form.getByRole('button', { name: 'Try it and add' }).click();
  await form.getByText('Enter a key.').waitFor();
  await soon(() => key.evaluate((field) => field === document.activeElement)).toBe(true);
  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 700 });
  await page.keyboard.type('sk-wrong');
  await page.keyboard.press('Enter');
  const refusal = form.getByText('OpenAI refuses the key.');
  await refusal.waitFor();
  // On a phone it is in sight, too.
  await soon(() => refusal.evaluate((said) => said.getBoundingClientRect().bottom <= innerHeight)).toBe(true);
  if (size) await page.setViewportSize(size);
  await form.getByText('Incorrect API key provided', { exact: false }).waitFor();
  await expectAccessible(page);

  await key.fill('sk-right');
  await page.keyboard.press('Enter');
  await soon(() => page.url()).toMatch(/\/c\/new$/);
  await soon(() => modelPicker(page).textContent()).toContain('OpenAI');
  await ask(page, 'Who answers now?');
  await answered(page);
  await soon(() => messages(page).count()).toBe(2);

  // Where the key was saved here, a refusal of it leads here.
  await ask(page, 'And now? [[error-401]]');
  const failure = page.getByTestId('message-error');
  await failure.getByText('Enter another one where it was saved.', { exact: false }).waitFor();
  await failure.getByRole('link', { name: 'Change the key' }).click();
  await page.getByLabel('API key', { exact: true }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/admin/providers');

  await soon(() => modelPicker(other).textContent()).toContain('OpenAI');
  await ask(other, 'And me?');
  await answered(other);
  expect(
    stage.app.provider.requests.filter(({ headers }) => headers.authorization === 'Bearer sk-right').length,
  ).toBeGreaterThan(1);
});

test('administrators change the list by mouse and keyboard, and pages of others follow', async () => {
  const { page, tolerated } = await stage.visitor();
  await page.goto('/login');
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await composer(page).waitFor();
  const { page: other } = await stage.visitor();
  await register(other, 'eve');
  await soon(() => modelPicker(other).textContent()).toContain('OpenAI');

  await page.goto('/admin/providers');
  const row = (name: string) => page.getByRole('row', { name });
  await row('OpenAI').getByText('set', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Add a provider' }).click();
  await page.getByRole('radio', { name: 'Compatible with OpenAI' }).check();
  await page.getByLabel('Name', { exact: true }).fill('Ours');
  await page.getByLabel('Address').fill('http://10.0.0.1/v1');
  const add = page.getByRole('button', { name: 'Try it and add' });
  tolerated.push(/status of 400/);
  await add.click();
  await page.getByText('The operator can allow 10.0.0.1', { exact: false }).waitFor();
  await page.getByLabel('Address').fill(`${stage.app.provider.url}/v1`);
  await page.getByRole('button', { name: 'Try it', exact: true }).click();
  await page.getByText('models found', { exact: false }).waitFor();
  await add.click();
  await row('Ours').waitFor();
  await expectAccessible(page);

  const menu = (name: string) => row(name).getByRole('button', { name: 'what can be done', exact: false });
  await menu('Ours').click();
  await page.getByRole('menuitem', { name: 'Move up' }).click();
  await soon(async () =>
    (await page.getByRole('row').allTextContents()).findIndex((text) => text.includes('Ours')),
  ).toBe(1);

  await menu('Ours').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Remove', disabled: false }).press('Enter');
  await page.getByRole('dialog').getByText('Its key is deleted', { exact: false }).waitFor();
  await page.getByRole('dialog').locator('button:focus').waitFor();
  await page.keyboard.press('Enter');
  await row('Ours').waitFor({ state: 'detached' });

  await menu('OpenAI').click();
  await page.getByRole('menuitem', { name: 'Switch off' }).click();
  await row('OpenAI').getByText('off', { exact: true }).waitFor();
  await soon(() => modelPicker(other).textContent()).toContain('Demo');

  await other.goto('/admin/providers');
  await other.getByText('Only administrators of this server can see this page.').waitFor();
  await openNewChat(page);
  await page.getByTestId('first-provider').waitFor();
});
