// The same person in several places at the same time.
import { messageText } from '@parley/schema/messages/messages';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { testInFullRun } from '../../support/extent.ts';
import {
  action,
  answered,
  answerText,
  apiOf,
  ask,
  composer,
  conversation,
  lastMessage,
  messages,
  openId,
  openNewChat,
  streaming,
  stopButton,
  thread,
  visit,
  wordsOf,
} from '../../support/browser/chat.ts';
import { choose } from '../../support/browser/sidebar.ts';
import { startEndlessAnswer, type EndlessAnswer } from '../../support/browser/endless-answer.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';

const stage = withApp();

test('a reload in mid-answer goes on where the reply is, and ends with every word of it', async () => {
  const { page } = await stage.open('alice');
  const monologue = startEndlessAnswer(stage.app);
  await openNewChat(page);
  await ask(page, `Talk while I reload ${monologue.cue}`);
  await streaming(page);
  await page.reload();
  await streaming(page);
  await lastMessage(page).locator('.cursor').waitFor();
  monologue.end();
  await answered(page);
  await expectSaid(page, monologue);
});

test('leaving for another chat and coming back in mid-answer loses nothing', async () => {
  const { page } = await stage.open('alice');
  const monologue = startEndlessAnswer(stage.app);
  await openNewChat(page);
  await ask(page, `Talk while I am away ${monologue.cue}`);
  await streaming(page);
  const { pathname } = new URL(page.url());
  await page.getByRole('link', { name: 'New chat', exact: true }).click();
  await page.getByTestId('landing-title').waitFor();
  await page.locator(`a[href="${pathname}"]`).getByRole('img', { name: 'An answer is being written' }).waitFor();
  await page.locator(`a[href="${pathname}"]`).click();
  await streaming(page);
  await lastMessage(page).locator('.cursor').waitFor();
  monologue.end();
  await answered(page);
  await expectSaid(page, monologue);
});

testInFullRun('an answer that ends in another chat does not touch the one on screen', async () => {
  const { page } = await stage.open('alice');
  const monologue = startEndlessAnswer(stage.app);
  await openNewChat(page);
  await ask(page, `The first subject ${monologue.cue}`);
  await streaming(page);
  const first = page.locator(`a[href="${new URL(page.url()).pathname}"]`);
  await openNewChat(page);
  await ask(page, 'The second subject');
  await answered(page);
  const shown = await wordsOf(page);
  monologue.end();
  await first.getByRole('img', { name: 'An answer is being written' }).waitFor({ state: 'detached' });
  expect(await wordsOf(page)).toBe(shown);

  await first.click();
  await thread(page).getByText('The first subject').first().waitFor();
  await answered(page);
  await expectSaid(page, monologue);
});

test('a second tab and a second browser watch the same reply live and end with the same text', async () => {
  const { page, context } = await stage.open('alice');
  const monologue = startEndlessAnswer(stage.app);
  await openNewChat(page);
  await ask(page, `Talk to all of us ${monologue.cue}`);
  await streaming(page);
  const tab = await context.newPage();
  const { page: elsewhere } = await stage.open('alice', 'elsewhere');
  const viewers = [page, tab, elsewhere];
  await Promise.all([tab, elsewhere].map((viewer) => viewer.goto(page.url())));
  await Promise.all(viewers.map((viewer) => stopButton(viewer).waitFor()));
  await Promise.all(viewers.map(streaming));
  await Promise.all(viewers.map((viewer) => lastMessage(viewer).locator('.cursor').waitFor()));
  monologue.end();
  await Promise.all(viewers.map(answered));
  for (const viewer of viewers) await expectSaid(viewer, monologue);
  await tab.close();
});

test('a browser that shows the conversation already sees a question asked elsewhere, and its reply as it comes', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'Where shall we meet?');
  await answered(page);
  const { page: elsewhere } = await stage.open('alice', 'elsewhere');
  await visit(elsewhere, new URL(page.url()).pathname);
  await streaming(elsewhere);

  const monologue = startEndlessAnswer(stage.app);
  await ask(page, `Here we are ${monologue.cue}`);
  await thread(elsewhere).getByText('Here we are').waitFor();
  await stopButton(elsewhere).waitFor();
  await lastMessage(elsewhere).locator('.cursor').waitFor();
  monologue.end();
  await answered(page);
  await answered(elsewhere);
  for (const viewer of [page, elsewhere]) await expectSaid(viewer, monologue);
});

testInFullRun('another browser opens the branch that was talked in last, whichever answer is the newest', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'Where do swallows go?');
  await answered(page);
  await action(lastMessage(page), 'Regenerate').click();
  await lastMessage(page).getByText('2 / 2').waitFor();
  await answered(page);
  await action(lastMessage(page), 'Previous answer').click();
  await lastMessage(page).getByText('1 / 2').waitFor();
  await ask(page, 'And when do they come back?');
  await answered(page);

  const { page: elsewhere } = await stage.open('alice', 'elsewhere');
  await visit(elsewhere, new URL(page.url()).pathname);
  await thread(elsewhere).getByText('And when do they come back?').first().waitFor();
  await soon(() => messages(elsewhere).count()).toBe(4);
  await messages(elsewhere).nth(1).getByText('1 / 2').waitFor();
});

test('a reply can be stopped from the other browser, and both keep the same text', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'Talk until someone stops you [[never-ending]]');
  await streaming(page);
  const { page: elsewhere } = await stage.open('alice', 'elsewhere');
  await visit(elsewhere, new URL(page.url()).pathname);
  await streaming(elsewhere);
  await stopButton(elsewhere).click();
  await answered(elsewhere);
  await answered(page);
  await soon(() => stage.app.provider.openStreams()).toBe(0);
  for (const viewer of [page, elsewhere]) await lastMessage(viewer).getByText('Stopped.').waitFor();
  const [, kept = ''] = await storedTexts(openId(page));
  expect(kept).toMatch(/^ the answer/);
  for (const viewer of [page, elsewhere]) await soon(() => answerText(viewer).first().innerText()).toBe(kept.trim());
});

test('a new, a renamed and a deleted conversation show in the other browser by themselves', async () => {
  const { page } = await stage.open('alice');
  const { page: elsewhere } = await stage.open('alice', 'elsewhere');
  await openNewChat(elsewhere);
  await openNewChat(page);
  await ask(page, 'Seals of the northern coast [[slow:20]]');
  await answered(page);
  const row = conversation(elsewhere, 'Seals of the Northern Coast');
  await row.waitFor();
  await row.getByRole('link').click();
  await streaming(elsewhere);

  await choose(page, 'Seals of the Northern Coast', 'Rename');
  await page.getByRole('textbox', { name: 'Title' }).fill('Grey seals');
  await page.keyboard.press('Enter');
  await conversation(elsewhere, 'Grey seals').waitFor();
  await soon(() => elsewhere.title()).toBe('Grey seals · Parley');

  await choose(page, 'Grey seals', 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await elsewhere.getByText('This chat was deleted.').waitFor();
  await elsewhere.waitForURL('**/c/new');
  await conversation(elsewhere, 'Grey seals').waitFor({ state: 'detached' });
});

testInFullRun(
  'a conversation deleted elsewhere takes no text along: it goes on in a new chat, and back with an undo',
  async () => {
    const { page } = await stage.open('alice');
    await openNewChat(page);
    await ask(page, 'Seals of the southern coast');
    await answered(page);
    await conversation(page, 'Seals of the Southern Coast').waitFor();
    const { pathname } = new URL(page.url());
    await composer(page).pressSequentially('And where do they ');

    const api = await apiOf(stage.app, 'alice');
    await api.convos.remove.mutate({ conversationId: openId(page) });
    await page.waitForURL('**/c/new');
    await soon(() => composer(page).inputValue()).toBe('And where do they ');
    await page.keyboard.type('sleep?');
    await soon(() => composer(page).inputValue()).toBe('And where do they sleep?');

    const said = page.getByTestId('toast').filter({ hasText: 'This chat was deleted.' });
    await said.getByRole('button', { name: 'Undo' }).click();
    await page.waitForURL(`**${pathname}`);
    await soon(() => composer(page).inputValue()).toBe('And where do they sleep?');
    await thread(page).getByText('Seals of the southern coast').first().waitFor();
    await openNewChat(page);
    await soon(() => composer(page).inputValue()).toBe('');
  },
);

testInFullRun(
  'a text that waits in the new chat is not touched by what was typed in a conversation deleted elsewhere',
  async () => {
    const { page } = await stage.open('alice');
    await openNewChat(page);
    await ask(page, 'Seals of the eastern coast');
    await answered(page);
    await conversation(page, 'Seals of the Eastern Coast').waitFor();
    const id = openId(page);
    await openNewChat(page);
    await composer(page).fill('Something else');
    await conversation(page, 'Seals of the Eastern Coast').getByRole('link').click();
    await composer(page).fill('And where do they sleep?');

    const api = await apiOf(stage.app, 'alice');
    await api.convos.remove.mutate({ conversationId: id });
    await page.waitForURL('**/c/new');
    await soon(() => composer(page).inputValue()).toBe('Something else');
    const said = page.getByTestId('toast').filter({ hasText: 'This chat was deleted.' });
    await said.getByRole('button', { name: 'Undo' }).click();
    await page.waitForURL(`**/c/${id}`);
    await soon(() => composer(page).inputValue()).toBe('And where do they sleep?');
    await openNewChat(page);
    await composer(page).fill('');
  },
);

testInFullRun('a question asked in two tabs at once is answered in both, and the conversation goes on', async () => {
  const { page, context, tolerated } = await stage.open('alice');
  tolerated.push(/status of 4(09|29)/);
  await openNewChat(page);
  await ask(page, 'Let us begin');
  await answered(page);
  const tab = await context.newPage();
  await tab.goto(page.url());
  await streaming(tab);
  await Promise.all([page, tab].map((one, index) => askSomehow(one, `Together ${index}`)));
  await Promise.all([answered(page), answered(tab)]);
  await page.reload();
  await streaming(page);
  await answered(page);
  await ask(page, 'And on');
  await answered(page);
  await answerText(page).getByText('That is all.').waitFor();
  await tab.close();
});

/** One of two who ask at the same moment may be told to wait. */
async function askSomehow(page: Page, question: string): Promise<void> {
  await page.getByRole('textbox', { name: /^Message/ }).fill(question);
  await page.keyboard.press('Enter');
}

async function storedTexts(conversationId: string): Promise<string[]> {
  const api = await apiOf(stage.app, 'alice');
  return (await api.messages.list.query({ conversationId })).map(messageText);
}

/** What is shown, what is stored and what was said are the same. */
async function expectSaid(page: Page, monologue: EndlessAnswer): Promise<void> {
  const stored = await storedTexts(openId(page));
  expect(stored.at(-1)).toBe(monologue.said());
  await soon(() => answerText(page).allInnerTexts()).toEqual([monologue.said().trim()]);
  await soon(() => messages(page).count()).toBe(stored.length);
}
