import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFakeProvider } from '@parley/scripts/fake-provider';
import { textSteps, scriptedStream } from '@parley/scripts/fake-provider/scenario';
import { costInCredits } from '@parley/schema/catalog/rates';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  action,
  answered,
  apiOf,
  ask,
  composer,
  lastMessage,
  modelPicker,
  openId,
  openNewChat,
  thread,
} from '../../support/browser/chat.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { themes, testInFullRun } from '../../support/extent.ts';

/** A window of 4,092 tokens, of which 1,024 are kept for the answer. */
const SMALL = 'gpt-3.5-turbo-0301';
const SUMMING = `my-${SMALL}`;

/** It reports a window of 8,192 tokens, and prices. */
const ROUTED = 'meta-llama/llama-3-70b-instruct';
const router = await startFakeProvider();

const folder = mkdtempSync(join(tmpdir(), 'parley-context-'));
const CONFIG_PATH = join(folder, 'parley.yaml');
writeFileSync(
  CONFIG_PATH,
  `version: 1.0.7
endpoints:
  custom:
    - name: Summing
      apiKey: fake
      baseURL: '\${OPENAI_REVERSE_PROXY}'
      models: { default: [${SUMMING}] }
      summarize: true
      summaryModel: fake:bridges
    - name: OpenRouter
      apiKey: fake
      baseURL: ${router.url}/api/v1
      models: { default: [none], fetch: true }
`,
);
const stage = withApp({ OPENAI_MODELS: SMALL, CONFIG_PATH });

beforeAll(() => {
  const script = () => scriptedStream(textSteps('They spoke of bridges.'));
  stage.app.provider.script('bridges', { about: 'sums up', script });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await router.close();
});

/** Key by key without a pause, which a busy machine makes between the key presses of a test. */
async function typeAtOnce(page: Page, text: string): Promise<void> {
  await composer(page).evaluate((element, typed) => {
    const value = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value');
    for (let length = 1; length <= typed.length; length++) {
      value?.set?.call(element, typed.slice(0, length));
      element.dispatchEvent(new Event('input', { bubbles: true }));
    }
  }, text);
}

test('how much of the window a question takes is told while it is written, without a storm of requests', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  const asked: string[] = [];
  page.on('request', (request) => request.url().includes('messages.budget') && asked.push(request.url()));
  await typeAtOnce(page, 'How do rivers find the sea, and why?');
  await bar(page).waitFor();
  expect(asked.length).toBe(1);
  await soon(() => bar(page).getAttribute('aria-label')).toMatch(/^Context: \d+% of 4,092 tokens$/);

  await bar(page).click();
  const details = page.getByRole('dialog', { name: 'What the model will see' });
  expect(await fact(details, 'This message')).toMatch(/^1\d tokens$/);
  expect(await fact(details, 'Kept for the answer')).toBe('1,024 tokens');
  expect(await fact(details, 'Context window')).toBe('4,092 tokens');
  await page.keyboard.press('Escape');
  await details.waitFor({ state: 'detached' });
  await soon(() => bar(page).evaluate((element) => element === document.activeElement)).toBe(true);

  await composer(page).fill('');
  await bar(page).waitFor({ state: 'detached' });
  const before = asked.length;
  await page.waitForTimeout(500);
  expect(asked).toHaveLength(before);
});

test.each(themes)(
  'what will not be seen is said before sending, and what was not seen afterwards: %s',
  async (colorScheme) => {
    const { page } = await stage.open('alice');
    await page.emulateMedia({ colorScheme });
    await fillWindow(page, SMALL);
    await composer(page).fill(`And the last one: ${words(600)}`);
    await soon(() => warning(page).textContent()).toMatch(/^\d earlier messages? won't be seen\.$/);
    const omitted = Number((await warning(page).textContent())?.[0]);
    await expectAccessible(page);
    await bar(page).click();
    await page.getByRole('dialog').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');

    await composer(page).press('Enter');
    await soon(() => composer(page).inputValue()).toBe('');
    await answered(page);
    const reply = lastMessage(page);
    await reply.getByText(/did not fit the model's context/).waitFor();
    const [, , , , , last] = await stored(page);
    expect(last?.context).toMatchObject({ omitted, included: 5 - omitted });

    // The mark stands above the first message that was seen.
    const seam = page.getByText('The model did not see what is above.');
    await thread(page).evaluate((log) => (log.scrollTop = 0));
    await thread(page).locator('[data-index="0"]').waitFor();
    const first = thread(page).locator(`[data-index="${omitted}"] article`);
    await first.scrollIntoViewIfNeeded();
    await seam.waitFor();
    // The rows above them may still find their heights.
    await soon(async () => {
      const [above, below] = await Promise.all([seam.boundingBox(), first.boundingBox()]);
      if (!above || !below) return false;
      return above.y + above.height <= below.y + 1 && below.y - above.y < 80;
    }).toBe(true);

    await thread(page).evaluate((log) => (log.scrollTop = log.scrollHeight));
    await reply.getByText(/did not fit the model's context/).waitFor();
    const details = await openDetails(page, reply);
    await expectAccessible(page);
    expect(await fact(details, 'Model')).toBe(SMALL);
    expect(await fact(details, 'Provider')).toBe('OpenAI');
    expect(await fact(details, 'Tokens in')).toBe(last?.usage?.input.toLocaleString('en-US'));
    expect(await fact(details, 'Tokens out')).toBe(last?.usage?.output.toLocaleString('en-US'));
    expect(await fact(details, 'Cost')).toMatch(/^\$0\.\d+$/);
    expect(await fact(details, 'Messages seen')).toBe(String(5 - omitted));
    expect(await fact(details, 'Messages left out')).toBe(String(omitted));
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
    await soon(() => action(reply, 'More').evaluate((element) => element === document.activeElement)).toBe(true);
    await page.emulateMedia({ colorScheme: null });
  },
);

testInFullRun('what a provider tells of its models is what they are measured and paid by', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await page.locator('#new-conversation-menu').click();
  await page.getByRole('combobox').waitFor();
  await page.keyboard.type(ROUTED);
  await page.getByRole('option', { name: new RegExp(`^${ROUTED} .*8K tokens of context`) }).click();
  await composer(page).fill('How do rivers find the sea?');
  await soon(() => bar(page).getAttribute('aria-label')).toMatch(/ of 8,192 tokens$/);
  await composer(page).press('Enter');
  await answered(page);
  const details = await openDetails(page, lastMessage(page));
  expect(await fact(details, 'Context window')).toBe('8,192 tokens');
  const [, reply] = await stored(page);
  const { input, output } = reply?.usage ?? { input: 0, output: 0 };
  const dollars =
    costInCredits({ input, output }, { prompt: 0.59, completion: 0.79, cachedRead: 0, cachedWrite: 0 }) / 1_000_000;
  expect(await fact(details, 'Cost')).toBe(`$${Number(dollars.toPrecision(2))}`);
  await page.keyboard.press('Escape');
});

test('a question that does not fit at all is known before it is sent', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await pick(page, SMALL);
  await composer(page).fill(words(3200));
  await soon(() => warning(page).textContent()).toMatch(/^This message doesn't fit: it has 3,\d\d\d tokens/);
  await composer(page).fill('Short');
  await soon(() => warning(page).textContent()).toBe('');
  await composer(page).fill('');
});

testInFullRun('what no longer fits is summed up where that is set up, and that is said', async () => {
  const { page } = await stage.open('alice');
  await fillWindow(page, SUMMING);
  await composer(page).fill(`And the last one: ${words(600)}`);
  await soon(() => warning(page).textContent()).toMatch(/^\d earlier messages? will be given as a summary\.$/);
  await bar(page).click();
  const before = page.getByRole('dialog', { name: 'What the model will see' });
  expect(await fact(before, 'Summary')).toBe('still to be written');
  await page.keyboard.press('Escape');
  await composer(page).press('Enter');
  await soon(() => composer(page).inputValue()).toBe('');
  await answered(page);
  const reply = lastMessage(page);
  await reply.getByText(/given to the model as a summary\./).waitFor();
  await page.getByText('The model only saw a summary of everything above.').waitFor({ state: 'attached' });
  const sent = JSON.stringify(stage.app.provider.requests.map(({ body }) => body));
  expect(sent).toContain('They spoke of bridges.');
  const details = await openDetails(page, reply);
  expect(await fact(details, 'Summary')).toMatch(/^1\d tokens$/);
  await page.keyboard.press('Escape');
});

testInFullRun('on a phone there is room for it, and for a finger', async () => {
  const viewport = { width: 390, height: 844 };
  const { page } = await stage.openElsewhere('bob', { viewport, isMobile: true, hasTouch: true });
  await openNewChat(page);
  await composer(page).fill(words(3200));
  await soon(() => warning(page).textContent()).toMatch(/doesn't fit/);
  const box = await bar(page).boundingBox();
  expect(box?.height).toBeGreaterThanOrEqual(44);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await bar(page).tap();
  const details = await page.getByRole('dialog').boundingBox();
  expect(details?.x).toBeGreaterThanOrEqual(0);
  expect((details?.x ?? 0) + (details?.width ?? 0)).toBeLessThanOrEqual(390);
});

function bar(page: Page): Locator {
  return page.getByTestId('context-bar');
}

function warning(page: Page): Locator {
  return page.locator('form').getByRole('status');
}

/** The value beside a name. */
function fact(container: Locator, name: string): Promise<string> {
  return container
    .locator('div', { has: container.page().locator(`dt:text-is("${name}")`) })
    .last()
    .locator('dd')
    .innerText();
}

function words(count: number): string {
  return 'word '.repeat(count).trim();
}

/** A chat with two exchanges, after which there is little room left in the window. */
async function fillWindow(page: Page, model: string): Promise<void> {
  await openNewChat(page);
  await pick(page, model);
  for (const start of ['Of bridges', 'Of ferries']) {
    await ask(page, `${start}: ${words(1250)}`);
    await answered(page);
  }
}

async function pick(page: Page, model: string): Promise<void> {
  await modelPicker(page).click();
  // Behind the name stands what is known of the model.
  await page.getByRole('option', { name: new RegExp(`^${model}( |$)`) }).click();
}

async function openDetails(page: Page, message: Locator): Promise<Locator> {
  await action(message, 'More').click();
  await page.getByRole('menuitem', { name: 'Details' }).click();
  const dialog = page.getByRole('dialog', { name: 'Details of this answer' });
  await dialog.waitFor();
  return dialog;
}

async function stored(page: Page) {
  const api = await apiOf(stage.app, 'alice');
  return api.messages.list.query({ conversationId: openId(page) });
}
