// What is done with one of several answers that stand side by side, and how answers come to stand there.
import { scriptedStream, textSteps, type Step } from '@parley/scripts/fake-provider/scenario';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  action,
  answered,
  apiOf,
  ask,
  composer,
  hold,
  holdAnswer,
  lastMessage,
  messages,
  openNewChat,
  visit,
} from '../../support/browser/chat.ts';
import { goTo } from '../../support/browser/keyboard.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { countNodes, NODES_MAX, threadsOf } from '../../support/browser/long-thread.ts';
import { severalEndpoints } from '../../support/browser/several-endpoints.ts';
import { threadLength } from '../../support/extent.ts';

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
  // What was stopped is a sibling still, and a change that arrives before the choice is stored does not undo it.
  const release = await hold(page, '**/trpc/compare.goOn*');
  await page.getByRole('button', { name: 'Go on with this: mistral-large' }).click();
  await lastMessage(page).getByText('3 / 3').waitFor();
  const conversationId = new URL(page.url()).pathname.replace('/c/', '');
  await (await apiOf(stage.app, 'alice')).convos.rename.mutate({ conversationId, title: 'Tides' });
  await page.getByRole('heading', { name: 'Tides', level: 1 }).waitFor({ state: 'attached' });
  release();
  await soon(() => lastMessage(page).getByText('3 / 3').count()).toBe(1);
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
  const stored = await holdAnswer(page, /convos\.setColumns/);
  await page.getByRole('menuitem', { name: 'Side by side' }).click();
  await soon(() => page.getByTestId('column').count()).toBe(2);

  const asked = page.getByRole('list', { name: 'Models that are asked' });
  const another = asked.getByRole('button', { name: 'Model', exact: true });
  await another.click();
  // The answer comes after what it tells: nobody's typing goes elsewhere then.
  await soon(() => isFocused(pickDialog(page))).toBe(true);
  await stored.release();
  expect(await isFocused(pickDialog(page))).toBe(true);
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

test('columns of thousands of messages draw those in view, and scroll each for itself', async () => {
  const { page } = await stage.open('alice');
  const { conversationId, ids } = await insertLongColumns();
  const tide = startTide();
  await visit(page, `/c/${conversationId}`);
  const [first, second] = [
    page.getByRole('log', { name: 'gpt-4', exact: true }),
    page.getByRole('log', { name: 'gpt-4o' }),
  ];
  await first.getByText(`Message ${threadLength - 1}.`).waitFor();
  await second.getByText(`Message ${2 * threadLength - 1}.`).waitFor();
  await soon(() => distanceOf(first)).toBeLessThan(5);
  expect(await countNodes(page)).toBeLessThan(NODES_MAX);

  await first.evaluate((element) => (element.scrollTop = element.scrollHeight / 2));
  await first.getByText(`Message ${threadLength - 1}.`).waitFor({ state: 'detached' });
  await soon(() => page.locator('[data-row=pending]').count()).toBe(0);
  expect(await countNodes(page)).toBeLessThan(NODES_MAX);
  await soon(() => distanceOf(second)).toBeLessThan(5);
  // A load of the page shows it where it was left.
  const kept = () => keptPlace(page, `${conversationId} 0`);
  await soon(async () => errorOf(first, await kept(), ids)).toBeLessThan(3);
  const left = await kept();
  await page.reload();
  await soon(() => errorOf(first, left, ids)).toBeLessThan(3);
  await column(page, 'gpt-4').getByRole('button', { name: 'Scroll to the newest message' }).click();
  await soon(() => distanceOf(first)).toBeLessThan(5);

  // Each follows what is written while it is at its end.
  await composer(page).fill('And further? [[tide]]');
  await page.keyboard.press('Enter');
  await first.getByText('word3').waitFor();
  await second.getByText('word3').waitFor();
  await first.hover();
  await page.mouse.wheel(0, -600);
  await soon(() => distanceOf(first)).toBeGreaterThan(100);
  let top = NaN;
  // A turn of the wheel may move on for some frames.
  await soon(async () => top === (top = await first.evaluate(({ scrollTop }) => scrollTop))).toBe(true);
  await second.getByText('word99').waitFor();
  // A line that has just been written is in view a frame later.
  await soon(() => distanceOf(second)).toBeLessThan(5);
  expect(await first.evaluate(({ scrollTop }) => scrollTop)).toBe(top);
  tide.end();
  await soon(() => page.getByText('Done', { exact: true }).count()).toBe(2);
});

test('@ asks one of the models alone; another wording of a question asks those again that had it', async () => {
  const { page } = await stage.open('alice');
  const asked: string[] = [];
  stage.app.provider.script('who', {
    about: 'says who it is, and what it was asked',
    script({ body, question }) {
      const { model } = body as { model: string };
      const words = question.replace(' [[who]]', '');
      asked.push(`${model}: ${words}`);
      return scriptedStream(textSteps(`${model} heard “${words}”.`));
    },
  });
  await openNewChat(page);
  await compareWith(page, 'mistral-large');
  await composer(page).fill('All of you? [[who]]');
  await page.keyboard.press('Enter');
  const [first, second] = [column(page, 'gpt-4'), column(page, 'mistral-large')];
  await first.getByText('gpt-4 heard “All of you?”.').waitFor();
  await second.getByText('mistral-large heard “All of you?”.').waitFor();
  await allDone(page, 2);

  // Only those are offered whose answers stand here.
  await composer(page).fill('');
  await composer(page).pressSequentially('@');
  const offered = page.getByRole('listbox').getByRole('option');
  await soon(() => offered.allInnerTexts()).toEqual(
    [/gpt-4/, /mistral-large/].map((name) => expect.stringMatching(name)),
  );
  await composer(page).pressSequentially('mistral');
  await soon(() => offered.count()).toBe(1);
  await page.keyboard.press('Enter');
  await composer(page).pressSequentially('Only you? [[who]]');
  await page.keyboard.press('Enter');
  await second.getByText('mistral-large heard “Only you?”.').waitFor();
  await allDone(page, 2);
  expect(await first.getByText('Only you?').count()).toBe(0);

  // The question that one column has alone is asked of that alone again.
  await editQuestion(second, 'Only you, again? [[who]]');
  await second.getByText('mistral-large heard “Only you, again?”.').waitFor();
  await allDone(page, 2);
  // The question that all have in common is asked of all again.
  await editQuestion(page.getByRole('log', { name: 'Chat' }), 'All, again? [[who]]');
  await first.getByText('gpt-4 heard “All, again?”.').waitFor();
  await second.getByText('mistral-large heard “All, again?”.').waitFor();
  await allDone(page, 2);
  expect(asked.toSorted()).toEqual([
    'gpt-4: All of you?',
    'gpt-4: All, again?',
    'mistral-large: All of you?',
    'mistral-large: All, again?',
    'mistral-large: Only you, again?',
    'mistral-large: Only you?',
  ]);
  // The first wording is a branch of its own.
  await page.getByRole('button', { name: 'One below the other' }).click();
  await messages(page).first().getByText('2 / 2').waitFor();
});

async function editQuestion(within: Locator, text: string): Promise<void> {
  const edit = within.getByRole('button', { name: 'Edit', exact: true });
  await edit.focus();
  await edit.press('Enter');
  await within.getByTestId('message-text-editor').fill(text);
  await within.getByRole('button', { name: 'Save and submit' }).click();
}

/** All columns are at rest. */
async function allDone(page: Page, count: number): Promise<void> {
  await soon(() => page.getByTestId('column').getByText('Done', { exact: true }).count()).toBe(count);
}

/** Two branches below one question, each as long as a very long chat. */
async function insertLongColumns(): Promise<{ conversationId: string; ids: string[] }> {
  const count = 2 * threadLength;
  // A question that follows nothing lies between them.
  const parentAt = (n: number) => (n === threadLength ? null : n === threadLength + 1 ? 0 : n - 1);
  const { conversationId, ids } = await threadsOf(stage)('alice', count, { parentAt });
  const columns = [
    { endpoint: 'openAI', model: 'gpt-4', settings: {}, replyId: ids[threadLength - 1] ?? '' },
    { endpoint: 'openAI', model: 'gpt-4o', settings: {}, replyId: ids[count - 1] ?? '' },
  ];
  await (await apiOf(stage.app, 'alice')).convos.setColumns.mutate({ conversationId, columns });
  return { conversationId, ids };
}

function distanceOf(log: Locator): Promise<number> {
  return log.evaluate((element) => element.scrollHeight - element.clientHeight - element.scrollTop);
}

interface Place {
  messageId: string;
  /** Pixels of the message above the view. */
  offset: number;
}

/** Where the browser remembers its reader to be. */
function keptPlace(page: Page, name: string): Promise<Place | undefined> {
  return page.evaluate(
    (key) => (JSON.parse(localStorage.getItem('places') ?? '{}') as Record<string, Place>)[key],
    name,
  );
}

/** How many pixels a place in the first column is off from where that stands, once all in view is there. */
function errorOf(log: Locator, place: Place | undefined, ids: readonly string[]): Promise<number> {
  return log.evaluate(
    (scroller, [index, offset]) => {
      const row = scroller.querySelector(`[data-index="${index}"]`);
      if (!row || scroller.querySelector('[data-row=pending]')) return Infinity;
      return Math.abs(scroller.getBoundingClientRect().top - row.getBoundingClientRect().top - offset);
    },
    [ids.indexOf(place?.messageId ?? '') - 1, place?.offset ?? 0] as const,
  );
}

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

const pickDialog = (page: Page) => page.getByRole('dialog', { name: 'Compare with another model' });

/** Whether the focus is in it. */
function isFocused(part: Locator): Promise<boolean> {
  return part.evaluate((element) => element.contains(document.activeElement));
}

async function pick(page: Page, model: string): Promise<void> {
  const dialog = pickDialog(page);
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
