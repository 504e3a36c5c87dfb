// Answers side by side of which some fail: what waits beside them is sent, and a hidden name stays hidden.
import { scriptedStream, type Step } from '@parley/scripts/fake-provider/scenario';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from '../../support/browser/axe.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { composer, openNewChat } from '../../support/browser/chat.ts';
import { severalEndpoints } from '../../support/browser/several-endpoints.ts';

const stage = withApp({ ...severalEndpoints(), OPENAI_MODELS: 'gpt-4,gpt-4o' });
const columns = (page: Page) => page.getByTestId('column');

const REFUSED = { kind: 'refusal', status: 400, type: 'invalid_request_error', code: null, headers: {} } as const;

/** The named models fail, and the provider says so with their names; the others speak until the test ends them. */
function scriptAnswers(name: string, failing: readonly string[]) {
  const state = { failing, hasEnded: false };
  function* words(): Generator<Step> {
    yield { type: 'text', text: 'Here I am.' };
    while (!state.hasEnded) yield { type: 'text', text: ' Still.' };
  }
  stage.app.provider.script(name, {
    about: 'the named models fail, the others speak until the test ends them',
    script({ body }) {
      const { model } = body as { model: string };
      if (state.failing.includes(model)) return { ...REFUSED, message: `The model ${model} is out of order.` };
      return scriptedStream(words(), { pace: { every: 50, count: 1 } });
    },
  });
  return state;
}

async function compare(page: Page, text: string): Promise<void> {
  await openNewChat(page);
  await page.locator('#new-conversation-menu').click();
  await page.getByRole('button', { name: 'Compare with…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Compare with another model' });
  await dialog.getByRole('combobox').or(dialog.getByRole('textbox')).first().fill('mistral-large');
  await page.keyboard.press('Enter');
  await page.getByRole('list', { name: 'Models that are asked' }).getByText('mistral-large').waitFor();
  await composer(page).fill(text);
  await page.keyboard.press('Enter');
  await soon(() => columns(page).count()).toBe(2);
}

test('a name that is hidden is not told by why its answer failed', async () => {
  const { page } = await stage.open('alice');
  const state = scriptAnswers('order', ['mistral-large']);
  await compare(page, 'Who is there? [[order]]');
  await columns(page).getByText('The model mistral-large is out of order.').waitFor();
  await page.getByRole('button', { name: 'Hide names' }).click();
  const notice = columns(page).getByText('This answer failed. Show the names to see why.');
  await notice.waitFor();
  await expectAccessible(page);
  expect(await columns(page).count()).toBe(2);
  for (const text of await columns(page).allInnerTexts()) expect(text).not.toMatch(/mistral|gpt|openai/i);
  state.failing = [];
  state.hasEnded = true;
  await columns(page).getByRole('button', { name: 'Try again' }).click();
  await soon(() => columns(page).getByText('Here I am.').count()).toBe(2);
  await page.getByRole('button', { name: 'Show names' }).click();
  await page.getByRole('region', { name: 'mistral-large', exact: true }).waitFor();
});

test('a question that waits is sent although a column failed, and by hand where all of them failed', async () => {
  const { page } = await stage.open('bob');
  const state = scriptAnswers('queue', ['mistral-large']);
  await compare(page, 'First [[queue]]');
  await columns(page).getByText('out of order').waitFor();
  await composer(page).fill('Second [[queue]]');
  await page.keyboard.press('Enter');
  const queue = page.getByTestId('queue');
  await queue.getByText('Sent when the answer ends.').waitFor();
  state.hasEnded = true;
  await queue.waitFor({ state: 'detached' });
  await soon(() => columns(page).getByText('Second').count()).toBe(2);
  await soon(() => columns(page).getByText('Here I am.').count()).toBe(2);

  // A question that failed is sent together with the next one, so its script is the one that answers.
  Object.assign(state, { failing: [], hasEnded: false });
  const all = scriptAnswers('none', []);
  await composer(page).fill('Third [[none]]');
  await page.keyboard.press('Enter');
  await soon(() => columns(page).getByText('Third').count()).toBe(2);
  // An answer that is stopped before its first word says nothing.
  await soon(() => columns(page).getByText('Here I am.').count()).toBe(4);
  await composer(page).fill('Fourth [[queue]]');
  await page.keyboard.press('Enter');
  await queue.getByText('Fourth').waitFor();
  await page
    .getByRole('button', { name: /^Stop generating/ })
    .first()
    .click();
  await page
    .getByRole('button', { name: /^Stop generating/ })
    .first()
    .click();
  await queue.getByText('These questions wait for you.', { exact: false }).waitFor();
  all.hasEnded = true;
  state.hasEnded = true;
  await queue.getByRole('button', { name: 'Send now' }).click();
  await queue.waitFor({ state: 'detached' });
  await soon(() => columns(page).getByText('Fourth').count()).toBe(2);
  await soon(() => columns(page).getByText('Here I am.').count()).toBe(6);
});
