// What is done with one of several answers that stand side by side, and how answers come to stand there.
import { scriptedStream, textSteps, type Step } from '@parley/scripts/fake-provider/scenario';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { action, answered, ask, composer, lastMessage, messages, openNewChat } from '../../support/browser/chat.ts';
import { goTo } from '../../support/browser/keyboard.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { severalEndpoints } from '../../support/browser/several-endpoints.ts';

const stage = withApp({ ...severalEndpoints(), OPENAI_MODELS: 'gpt-4,gpt-4o' });

test('one of two answers is stopped while the other goes on, and asked again alone', async () => {
  const { page } = await stage.open('alice');
  const tide = startTide();
  await openNewChat(page);
  await compareWith(page, 'mistral-large');
  await composer(page).fill('What does the tide do? [[tide]]');
  await page.keyboard.press('Enter');
  const [first, second] = [column(page, 'gpt-4'), column(page, 'mistral-large')];
  await first.getByText('word3').waitFor();
  await second.getByText('word3').waitFor();

  await second.getByRole('button', { name: 'Stop generating: mistral-large' }).click();
  await second.getByText('Stopped', { exact: true }).waitFor();
  const words = await first.getByRole('paragraph').innerText();
  await soon(async () => (await first.getByRole('paragraph').innerText()).length).toBeGreaterThan(words.length);
  await first.getByText('Writing', { exact: false }).waitFor();
  // Nothing else is asked here meanwhile.
  const again = second.getByRole('button', { name: 'Regenerate: mistral-large' });
  expect(await again.isDisabled()).toBe(true);
  const kept = await second.getByRole('paragraph').first().innerText();

  tide.end();
  await first.getByText('Done', { exact: true }).waitFor();
  expect(await second.getByRole('paragraph').first().innerText()).toBe(kept);
  await soon(() => again.isEnabled()).toBe(true);
  const whole = await first.getByRole('paragraph').innerText();
  await again.click();
  await second.getByText('mistral-large says word1 again').waitFor();
  await second.getByText('Done', { exact: true }).waitFor();
  expect(await first.getByRole('paragraph').innerText()).toBe(whole);
  expect(await page.getByTestId('column').count()).toBe(2);
  // What was stopped is a sibling still.
  await page.getByRole('button', { name: 'Go on with this: mistral-large' }).click();
  await lastMessage(page).getByText('3 / 3').waitFor();
});

test('answers to one question stand side by side by the menu of one of them; further models join, and one that fails is tried again', async () => {
  const { page } = await stage.open('alice');
  let isAway = true;
  stage.app.provider.script('seals', {
    about: 'one model fails, the others say who they are',
    script({ body }) {
      const { model } = body as { model: string };
      return isAway && model === 'mistral-tiny' ? AWAY : scriptedStream(textSteps(`Seals, says ${model}.`));
    },
  });
  await openNewChat(page);
  await ask(page, 'Which seals? [[seals]]');
  await answered(page);
  await action(lastMessage(page), 'Regenerate').click();
  await lastMessage(page).getByText('2 / 2').waitFor();
  await answered(page);

  await action(lastMessage(page), 'More').click();
  await page.getByRole('menuitem', { name: 'Side by side' }).click();
  await soon(() => page.getByTestId('column').count()).toBe(2);

  const asked = page.getByRole('list', { name: 'Models that are asked' });
  const another = asked.getByRole('button', { name: 'Model', exact: true });
  await another.click();
  await pick(page, 'mistral-tiny');
  const tiny = column(page, 'mistral-tiny');
  await tiny.getByText('Failed', { exact: true }).waitFor();
  expect(await page.getByTestId('column').getByText('Done', { exact: true }).count()).toBe(2);
  isAway = false;
  await tiny.getByRole('button', { name: 'Try again' }).click();
  await tiny.getByText('Seals, says mistral-tiny.').waitFor();
  await tiny.getByText('Done', { exact: true }).waitFor();
  expect(await page.getByTestId('column').count()).toBe(3);

  // By the keyboard, to as many as there may be.
  await soon(() => another.isEnabled()).toBe(true);
  await another.press('Enter');
  await pick(page, 'mistral-large');
  await column(page, 'mistral-large').getByText('Done', { exact: true }).waitFor();
  await soon(() => another.count()).toBe(0);
  await soon(() => page.getByTestId('column').count()).toBe(4);

  // One below the other again, and back by the keyboard alone.
  await page.getByRole('button', { name: 'One below the other' }).click();
  await lastMessage(page).getByText(/ \/ 5/).waitFor();
  await composerHasFocus(page);
  await soon(() => messages(page).count()).toBe(2);
  await action(lastMessage(page), 'More').press('Enter');
  await page.getByRole('menu').waitFor();
  await goTo(page, 'Side by side', 'ArrowDown');
  await page.keyboard.press('Enter');
  await soon(() => page.getByTestId('column').count()).toBe(4);
  await composerHasFocus(page);
});

const AWAY = { kind: 'refusal', status: 500, type: 'server_error', code: null, message: 'Away.', headers: {} } as const;

const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

async function compareWith(page: Page, model: string): Promise<void> {
  await page.locator('#new-conversation-menu').click();
  await page.getByRole('button', { name: 'Compare with…' }).click();
  await pick(page, model);
  await page.getByRole('list', { name: 'Models that are asked' }).getByText(model).waitFor();
}

/** The button that was pressed is gone with what was around it. */
async function composerHasFocus(page: Page): Promise<void> {
  await soon(() => composer(page).evaluate((box) => box === document.activeElement)).toBe(true);
}

async function pick(page: Page, model: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Compare with another model' });
  await dialog.getByRole('combobox').or(dialog.getByRole('textbox')).first().fill(model);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
}

/** Each model says numbered words until the test ends them; asked again, one word. */
function startTide() {
  let hasEnded = false;
  function* words(model: string): Generator<Step> {
    yield { type: 'text', text: `${model} says` };
    for (let n = 1; n === 1 || !hasEnded; n++) yield { type: 'text', text: ` word${n}` };
  }
  stage.app.provider.script('tide', {
    about: 'speaks until the test ends it',
    script({ body }) {
      const { model } = body as { model: string };
      if (hasEnded) return scriptedStream(textSteps(`${model} says word1 again.`));
      return scriptedStream(words(`${model}`), { pace: { every: 50, count: 1 } });
    },
  });
  return { end: () => void (hasEnded = true) };
}
