// A person who brings keys of their own: what waits for one, how it is set, and what becomes of it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFakeProvider } from '@parley/scripts/fake-provider';
import type { Page } from 'playwright-core';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { serviceKeyFile } from '../../support/service-key.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import {
  action,
  answered,
  answerText,
  apiOf,
  ask,
  composer,
  lastMessage,
  openNewChat,
  send,
  sendButton,
} from '../../support/browser/chat.ts';
import { focused, goTo } from '../../support/browser/keyboard.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { inFullRun, testInFullRun, themes } from '../../support/extent.ts';

const lists = await startFakeProvider();
const folder = mkdtempSync(join(tmpdir(), 'parley-keys-'));
const CONFIG_PATH = join(folder, 'parley.yaml');
writeFileSync(
  CONFIG_PATH,
  `version: 1.0.7
endpoints:
  custom:
    - { name: Own place, apiKey: sk-server, baseURL: user_provided, models: { default: [some-model] } }
    - { name: Own list, apiKey: user_provided, baseURL: '${lists.url}/v1', models: { default: [no-list], fetch: true } }
`,
);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await lists.close();
});

const stage = withApp({
  CONFIG_PATH,
  OPENAI_API_KEY: 'user_provided',
  OPENAI_MODELS: 'gpt-4,gpt-3.5-turbo',
  AZURE_API_KEY: 'user_provided',
  AZURE_OPENAI_MODELS: 'gpt-azure',
  GOOGLE_KEY: 'user_provided',
  GOOGLE_MODELS: 'gemini-pro',
  ANTHROPIC_API_KEY: 'user_provided',
  ANTHROPIC_MODELS: 'claude-3-haiku-20240307',
  EGRESS_ALLOWED_HOSTS: '127.0.0.1',
});

/** What the browser itself logs of a call that was refused. */
const REFUSED = /status of (400|422)/;

const dialog = (page: Page) => page.getByRole('dialog');
const setKey = (page: Page) => page.locator('form').getByRole('button', { name: 'Set API key' });
const field = (page: Page, label: string) => dialog(page).getByLabel(label, { exact: true });
const save = (page: Page) => dialog(page).getByRole('button', { name: 'Save', exact: true }).click();
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

const apis = new Map<string, ReturnType<typeof apiOf>>();

async function keysOf(name: string) {
  const api = apis.get(name) ?? apiOf(stage.app, name);
  apis.set(name, api);
  return (await api).keys;
}

/** A page with no keys, on a new chat with OpenAI. */
async function openWithout(name: string): Promise<Page> {
  const { page } = await stage.open(name);
  await (await keysOf(name)).removeAll.mutate();
  await page.evaluate(() => localStorage.clear()).catch(() => undefined);
  await page.goto('/c/new');
  await setKey(page).waitFor();
  return page;
}

/** A new chat of a person with no keys, with whichever model was used last. */
async function openToChoose(name: string): Promise<Page> {
  const { page } = await stage.open(name);
  await (await keysOf(name)).removeAll.mutate();
  await openNewChat(page);
  return page;
}

/** Gives the person in front of the page a key from elsewhere. */
async function setElsewhere(page: Page, name: string, apiKey: string): Promise<void> {
  const key = { name: 'openAI', value: JSON.stringify({ apiKey }), expiresAt: inSeconds(3600) };
  await (await keysOf(name)).save.mutate(key);
  await soon(() => setKey(page).count()).toBe(0);
}

/** The key that the last question was asked with. */
async function keyAskedWith(text: string): Promise<string | undefined> {
  const asked = await stage.app.provider.waitForRequest(
    ({ body, scenario }) => scenario !== 'title' && JSON.stringify(body ?? '').includes(text),
  );
  return asked.headers.authorization;
}

async function pick(page: Page, model: string): Promise<void> {
  await page.locator('#new-conversation-menu').click();
  await page.getByRole('option', { name: model }).first().click();
}

async function isWaiting(page: Page): Promise<boolean> {
  return (await setKey(page).isVisible()) && (await sendButton(page).isDisabled());
}

beforeEach(() => stage.app.provider.clear());

test('a chat without a key says what it needs, and continues when the key is set', async () => {
  const page = await openWithout('alice');
  await page.getByText('Set your key for OpenAI to chat.').waitFor();
  expect(await isWaiting(page)).toBe(true);
  await setKey(page).click();
  await dialog(page).getByRole('heading', { name: 'API key for OpenAI' }).waitFor();
  await soon(() => field(page, 'Expires in').inputValue()).toBe(String(12 * 3_600_000));
  await save(page);
  await dialog(page).getByText('This field is required').waitFor();
  await soon(() => field(page, 'API key').getAttribute('aria-invalid')).toBe('true');
  await soon(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('apiKey');

  await field(page, 'API key').fill('sk-hers');
  await soon(() => field(page, 'API key').getAttribute('type')).toBe('password');
  await save(page);
  await dialog(page).waitFor({ state: 'detached' });
  await page.getByTestId('toast').getByText('The key for OpenAI is saved.').waitFor();
  await soon(() => focused(page)).toMatch(/^Message/);

  await ask(page, 'Whose key is this?');
  await answered(page);
  await soon(() => answerText(page).count()).toBeGreaterThan(0);
  expect(await keyAskedWith('Whose key is this?')).toBe('Bearer sk-hers');
  const [kept] = await (await keysOf('alice')).list.query();
  expect(kept?.name).toBe('openAI');
  const hours = (Date.parse(kept?.expiresAt ?? '') - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(11.5);
  expect(hours).toBeLessThanOrEqual(12);

  await page.reload();
  await answered(page);
  await send(page, 'And after a reload?');
  await answered(page);
  expect(await keyAskedWith('And after a reload?')).toBe('Bearer sk-hers');
});

test('the models of a key appear when it is saved and disappear with it', async () => {
  const page = await openToChoose('alice');
  await pick(page, 'no-list');
  await field(page, 'API key').fill('sk-opens');
  await save(page);
  await dialog(page).waitFor({ state: 'detached' });
  await page.locator('#new-conversation-menu').getByText('gpt-3.5-turbo', { exact: true }).waitFor();
  await page.locator('#new-conversation-menu').click();
  const group = page.getByRole('group').filter({ has: page.getByTestId('endpoint-item-Own list') });
  await group.getByRole('option', { name: /^fake:echo/ }).click();
  await ask(page, 'Who lists this?');
  await answered(page);
  expect(lists.requests.map(({ headers }) => headers.authorization)).toContain('Bearer sk-opens');
  await (await keysOf('alice')).removeAll.mutate();
  await page.reload();
  await page.locator('#new-conversation-menu').click();
  await group.getByRole('option', { name: 'no-list' }).waitFor();
  await soon(() => group.getByRole('option').count()).toBe(1);
});

test('keys are set by keyboard alone, and the focus returns', async () => {
  const page = await openWithout('alice');
  await soon(() => focused(page)).toBe('Message OpenAI');
  await goTo(page, 'Set API key', 'Tab');
  await page.keyboard.press('Enter');
  await dialog(page).waitFor();
  await soon(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('apiKey');
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  await soon(() => focused(page)).toBe('Set API key');

  await page.keyboard.press('Enter');
  await soon(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('apiKey');
  await page.keyboard.type('sk-typed');
  await goTo(page, 'Save', 'Tab');
  await page.keyboard.press('Enter');
  await dialog(page).waitFor({ state: 'detached' });
  await soon(() => focused(page)).toMatch(/^Message/);
  await page.keyboard.type('Typed from end to end');
  await page.keyboard.press('Enter');
  expect(await keyAskedWith('Typed from end to end')).toBe('Bearer sk-typed');
  await answered(page);
});

interface HeldKeyLists {
  /** Resolves when the page waits for at least one list. */
  isHeld(): Promise<void>;
  /** Gives the page what is held, oldest first, and everything after it at once. */
  release(): Promise<void>;
}

/** From now on lists of keys wait, as the server gave them, until they are released: all, or those with `key` in them. */
async function holdKeyLists(page: Page, key?: string): Promise<HeldKeyLists> {
  const held: (() => Promise<void>)[] = [];
  let isReleased = false;
  await page.route('**/trpc/*keys.list*', async (route) => {
    const response = await route.fetch();
    const hasKey = key === undefined || (await response.text()).includes(`{"name":"${key}","expiresAt":`);
    if (hasKey && !isReleased) held.push(() => route.fulfill({ response }));
    else await route.fulfill({ response });
  });
  return {
    async isHeld() {
      // The page reads them again when it is looked at; a list that is on its way already is not begun again.
      await soon(async () => {
        await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
        return held.length > 0;
      }).toBe(true);
    },
    async release() {
      isReleased = true;
      for (const give of held.splice(0)) await give();
    },
  };
}

test('a list of keys from before a key was saved does not take the key back', async () => {
  const page = await openWithout('alice');
  const keyLists = await holdKeyLists(page);
  await keyLists.isHeld();
  await setKey(page).click();
  await field(page, 'API key').fill('sk-newer');
  await save(page);
  await dialog(page).waitFor({ state: 'detached' });
  await keyLists.release();
  await composer(page).fill('Asked after the save');
  await composer(page).press('Enter');
  expect(await keyAskedWith('Asked after the save')).toBe('Bearer sk-newer');
  await answered(page);
});

test('Enter waits for the list of keys that is being read again', async () => {
  const page = await openWithout('alice');
  await page.routeWebSocket('**/trpc', () => undefined);
  await page.reload();
  await setKey(page).waitFor();
  const keyLists = await holdKeyLists(page, 'openAI');
  const key = { name: 'openAI', value: JSON.stringify({ apiKey: 'sk-elsewhere' }), expiresAt: inSeconds(3600) };
  await (await keysOf('alice')).save.mutate(key);
  await keyLists.isHeld();
  await composer(page).fill('Asked before the list');
  await composer(page).press('Enter');
  expect(await composer(page).inputValue()).toBe('Asked before the list');
  await keyLists.release();
  expect(await keyAskedWith('Asked before the list')).toBe('Bearer sk-elsewhere');
  await answered(page);
});

test('an existing key is changed and revoked from the model list, by keyboard and by click', async () => {
  const page = await openWithout('alice');
  await setElsewhere(page, 'alice', 'sk-first');
  await page.locator('#new-conversation-menu').press('Enter');
  await page.getByRole('option', { name: 'gpt-4' }).first().waitFor();
  await page.keyboard.press('Alt+Enter');
  await dialog(page).getByRole('heading', { name: 'API key for OpenAI' }).waitFor();
  await soon(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('apiKey');
  await page.keyboard.type('sk-second');
  await goTo(page, 'Save', 'Tab');
  await page.keyboard.press('Enter');
  await dialog(page).waitFor({ state: 'detached' });
  await ask(page, 'With the second key');
  await answered(page);
  expect(await keyAskedWith('With the second key')).toBe('Bearer sk-second');

  await page.locator('#new-conversation-menu').click();
  await page.getByTestId('set-key-openAI').click();
  await dialog(page).getByRole('heading', { name: 'API key for OpenAI' }).waitFor();
  await goTo(page, 'Remove', 'Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.getByTestId('toast').getByText('The key for OpenAI is removed.').waitFor();
  await soon(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('apiKey');
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  await soon(() => isWaiting(page)).toBe(true);
});

testInFullRun('the focus stays in place while a key is saved and when saving fails', async () => {
  const page = await openWithout('alice');
  const { tolerated } = await stage.open('alice');
  tolerated.push(/status of 500/);
  await setKey(page).click();
  await field(page, 'API key').fill('sk-kept');
  await page.route('**/trpc/keys.save*', (route) => {
    setTimeout(() => void route.fulfill({ status: 500, body: '{}' }), 300);
  });
  await goTo(page, 'Save', 'Tab');
  await page.keyboard.press('Enter');
  const button = dialog(page).getByRole('button', { name: 'Save', exact: true });
  await soon(() => button.getAttribute('aria-disabled')).toBe('true');
  expect(await focused(page)).toBe('Save');
  await dialog(page).getByRole('alert').getByText(/./).waitFor();
  expect(await focused(page)).toBe('Save');
  await page.unroute('**/trpc/keys.save*');
  await page.keyboard.press('Enter');
  await dialog(page).waitFor({ state: 'detached' });
  await soon(() => setKey(page).count()).toBe(0);
});

testInFullRun('an answer with a rejected key offers to remove it in two clicks and to set another', async () => {
  const page = await openWithout('alice');
  await setElsewhere(page, 'alice', 'sk-wrong');
  const keys = await keysOf('alice');
  await ask(page, 'Let me in [[error-401]]');
  await answered(page);
  const failure = lastMessage(page).getByRole('group');
  await failure
    .getByText(
      'The provider did not accept the API key. Please check your API key, or set it with “Set Token” on the model logo.',
      { exact: false },
    )
    .waitFor();
  await failure.getByRole('button', { name: 'Set API key' }).click();
  await dialog(page).getByText('Your key is valid until', { exact: false }).waitFor();

  await dialog(page).getByRole('button', { name: 'Remove' }).click();
  await dialog(page).getByRole('button', { name: 'Confirm: remove' }).waitFor();
  // A click elsewhere takes the first one back.
  await dialog(page).getByRole('heading').click();
  await dialog(page).getByRole('button', { name: 'Remove', exact: true }).click();
  expect(await keys.list.query()).toHaveLength(1);
  await dialog(page).getByRole('button', { name: 'Confirm: remove' }).click();
  await page.getByTestId('toast').getByText('The key for OpenAI is removed.').waitFor();
  expect(await keys.list.query()).toEqual([]);
  await soon(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('apiKey');

  await field(page, 'API key').fill('sk-right');
  await save(page);
  await dialog(page).waitFor({ state: 'detached' });
  await soon(() => focused(page)).toMatch(/^Message|^Set API key/);
  stage.app.provider.clear();
  await action(lastMessage(page), 'Try again').click();
  expect(await keyAskedWith('Let me in')).toBe('Bearer sk-right');
  await answered(page);
});

testInFullRun(
  'a key set in another browser lets questions be sent; one revoked there holds them back while typing',
  async () => {
    const page = await openWithout('alice');
    await soon(() => focused(page)).toMatch(/^Message/);
    await setElsewhere(page, 'alice', 'sk-hers');
    await setKey(page).waitFor({ state: 'detached' });
    await soon(() => focused(page)).toMatch(/^Message/);
    await composer(page).fill('Half a');
    await (await keysOf('alice')).removeAll.mutate();
    await page.getByText('Set your key for OpenAI to chat.').waitFor();
    await soon(() => isWaiting(page)).toBe(true);
    await soon(() => composer(page).inputValue()).toBe('Half a');
    await setElsewhere(page, 'alice', 'sk-hers');
    await page.locator('[data-testid="send-button"]:enabled').waitFor();
    await composer(page).fill('');
  },
);

testInFullRun('a key revoked without notice is reported by the server, and no text is lost', async () => {
  const page = await openWithout('alice');
  const { tolerated } = await stage.open('alice');
  tolerated.push(REFUSED);
  await setElsewhere(page, 'alice', 'sk-hers');
  await composer(page).fill('Is anybody there?');
  // The page knows of the key by now, and will not know that it goes.
  await page.locator('[data-testid="send-button"]:enabled').waitFor();
  await page.route('**/trpc/**keys.list**', () => {});
  await (await keysOf('alice')).removeAll.mutate();
  await composer(page).press('Enter');
  const failure = lastMessage(page).getByRole('group');
  await failure.getByText('No key found.', { exact: false }).waitFor();
  await failure.getByRole('button', { name: 'Set API key' }).click();
  await field(page, 'API key').fill('sk-new');
  await save(page);
  await dialog(page).waitFor({ state: 'detached' });
  await action(lastMessage(page), 'Try again').click();
  expect(await keyAskedWith('Is anybody there?')).toBe('Bearer sk-new');
  await answered(page);
});

testInFullRun(
  'a key that expires while typing holds the question back and keeps the text; another key lets it be sent',
  async () => {
    const keys = await keysOf('alice');
    const { page } = await stage.openElsewhere('alice');
    await keys.save.mutate({ name: 'openAI', value: '{"apiKey":"sk-brief"}', expiresAt: inSeconds(3600) });
    await page.clock.install();
    await page.goto('/c/new');
    await soon(() => setKey(page).count()).toBe(0);
    await composer(page).fill('Half a sentence');
    await page.locator('[data-testid="send-button"]:enabled').waitFor();
    await page.clock.fastForward(3600 * 1000);
    await page.getByText('Your key for OpenAI has expired. Set a new one to chat.').waitFor();
    expect(await isWaiting(page)).toBe(true);
    await soon(() => sendButton(page).isDisabled()).toBe(true);
    await soon(() => composer(page).inputValue()).toBe('Half a sentence');
    await soon(() => focused(page)).toMatch(/^Message/);

    await setKey(page).click();
    await dialog(page).getByText('Your key expired at', { exact: false }).waitFor();
    await field(page, 'API key').fill('sk-next');
    await field(page, 'Expires in').selectOption({ label: '1 month' });
    await save(page);
    await dialog(page).waitFor({ state: 'detached' });
    await soon(() => composer(page).inputValue()).toBe('Half a sentence');
    await composer(page).press('End');
    await composer(page).pressSequentially(', and the rest');
    await composer(page).press('Enter');
    expect(await keyAskedWith('Half a sentence, and the rest')).toBe('Bearer sk-next');
    await answered(page);
  },
);

describe('choosing an endpoint', () => {
  test('asks for a missing key, and does not when there is one', async () => {
    const page = await openToChoose('alice');
    await pick(page, 'claude-3-haiku-20240307');
    await dialog(page).getByRole('heading', { name: 'API key for Anthropic' }).waitFor();
    await field(page, 'API key').fill('ant-1');
    await save(page);
    await dialog(page).waitFor({ state: 'detached' });
    await soon(() => setKey(page).count()).toBe(0);
    await pick(page, 'gpt-4');
    await dialog(page).getByRole('heading', { name: 'API key for OpenAI' }).waitFor();
    await page.keyboard.press('Escape');
    await pick(page, 'claude-3-haiku-20240307');
    await soon(() => setKey(page).count()).toBe(0);
    await soon(() => dialog(page).count()).toBe(0);
  });

  testInFullRun('of Azure asks for its four values by name', async () => {
    const page = await openToChoose('alice');
    await pick(page, 'gpt-azure');
    await page.getByTestId('input-azureOpenAIApiKey').fill('az-1');
    await save(page);
    await soon(() => dialog(page).getByText('This field is required').count()).toBe(3);
    await field(page, 'Azure instance name').fill('mine');
    await page.getByTestId('input-azureOpenAIApiDeploymentName').fill('gpt');
    await field(page, 'Azure API version').fill('2024-02-01');
    await save(page);
    await dialog(page).waitFor({ state: 'detached' });
    expect(await (await keysOf('alice')).list.query()).toMatchObject([{ name: 'azureOpenAI' }]);
  });

  testInFullRun('of Google accepts a key file and reports an invalid one', async () => {
    const page = await openToChoose('alice');
    await pick(page, 'gemini-pro');
    const choose = (content: string) =>
      dialog(page)
        .locator('input[type=file]')
        .setInputFiles({ name: 'key.json', mimeType: 'application/json', buffer: Buffer.from(content) });
    await choose('{"client_email":"nobody"}');
    const verdict = dialog(page).getByText('This is not the key of a service account.', { exact: false });
    await verdict.waitFor();
    expect(await hueOf(page, 'This is not the key of a service account.')).toBe('red');
    await save(page);
    await dialog(page).getByText('Enter an API key or import the JSON file of a service account.').waitFor();

    await choose(JSON.stringify(serviceKeyFile('https://oauth2.googleapis.com/token')));
    await dialog(page).getByText('The service account key was read.', { exact: false }).waitFor();
    expect(await hueOf(page, 'The service account key was read.')).toBe('green');
    await save(page);
    await dialog(page).waitFor({ state: 'detached' });
    expect(await (await keysOf('alice')).list.query()).toMatchObject([{ name: 'google' }]);
    await soon(() => setKey(page).count()).toBe(0);
  });

  testInFullRun(
    'with an address of the user is called there with their key, and private addresses are refused',
    async () => {
      const page = await openToChoose('alice');
      const { tolerated } = await stage.open('alice');
      tolerated.push(REFUSED);
      await pick(page, 'some-model');
      await field(page, 'API key').fill('sk-hers');
      await save(page);
      await dialog(page).getByText('This field is required').waitFor();
      await field(page, 'Base URL').fill('http://localhost:5432/v1');
      await save(page);
      await dialog(page).getByText('cannot be used', { exact: false }).waitFor();
      await soon(() => field(page, 'Base URL').getAttribute('aria-invalid')).toBe('true');
      await soon(() => field(page, 'API key').inputValue()).toBe('sk-hers');
      await field(page, 'Base URL').fill(`${stage.app.provider.url}/v1/chat/completions`);
      await save(page);
      await dialog(page).waitFor({ state: 'detached' });
      await ask(page, 'Where am I?');
      await answered(page);
      expect(await keyAskedWith('Where am I?')).toBe('Bearer sk-hers');
      expect(JSON.stringify(stage.app.provider.requests)).not.toContain('sk-server');
    },
  );
});

describe.each(inFullRun(themes))('in the %s theme', (colorScheme) => {
  test('the waiting box and the dialogs have no accessibility violations', async () => {
    const page = await openWithout('alice');
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
    for (const model of ['gpt-4', 'gpt-azure', 'gemini-pro', 'some-model']) {
      await pick(page, model);
      await dialog(page).waitFor();
      await save(page);
      await dialog(page).locator('[aria-invalid=true]').first().waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'detached' });
    }
  });
});

testInFullRun('the dialog fits a phone, with targets large enough for fingers', async () => {
  await (await keysOf('alice')).removeAll.mutate();
  const { page } = await stage.openElsewhere('alice', { viewport: { width: 390, height: 844 }, hasTouch: true });
  await page.goto('/c/new');
  await setKey(page).click();
  await dialog(page).waitFor();
  const heights = await dialog(page)
    .locator('button:not([aria-label]), input, select')
    .evaluateAll((all) => all.map((one) => (one.closest('[data-variant]') ?? one).getBoundingClientRect().height));
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

async function hueOf(page: Page, text: string): Promise<'red' | 'green' | 'neither'> {
  const color = await dialog(page)
    .getByText(text, { exact: false })
    .evaluate((element) => getComputedStyle(element).color);
  const [red = 0, green = 0] = color.match(/\d+/g)?.map(Number) ?? [];
  if (red > green + 60) return 'red';
  return green > red + 60 ? 'green' : 'neither';
}
