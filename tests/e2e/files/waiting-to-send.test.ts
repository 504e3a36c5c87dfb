// A question that is sent while its files are still being uploaded.
import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { attach, chips, textFile, uploaded } from '../../support/browser/attachments.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import {
  answered,
  ask,
  composer,
  messages,
  openNewChat,
  sendButton,
  streaming,
  thread,
} from '../../support/browser/chat.ts';
import { startEndlessAnswer } from '../../support/browser/endless-answer.ts';
import { testInFullRun } from '../../support/extent.ts';
import { focused } from '../../support/browser/keyboard.ts';

const stage = withApp();

/** Uploads wait until they are released, or fail. */
async function holdUploads(page: Page): Promise<(how: 'go on' | 'fail') => Promise<void>> {
  const held: Route[] = [];
  let isHeld = true;
  await page.route('**/api/files', (route) => (isHeld ? void held.push(route) : route.continue()));
  return async (how) => {
    isHeld = false;
    for (const route of held.splice(0))
      await (how === 'fail' ? route.abort() : route.continue().catch(() => undefined));
  };
}

function waitingButton(page: Page) {
  return page.getByRole('button', { name: 'Sends when the upload ends' });
}

test('a question sent during an upload waits for it, visibly, and goes out with its file', async () => {
  const { page } = await stage.openElsewhere('alice');
  await openNewChat(page);
  const release = await holdUploads(page);
  await attach(page, textFile('slow.txt', 'slow'));
  await composer(page).fill('Read this');
  await chips(page).first().getByRole('progressbar').waitFor();
  await composer(page).press('Enter');
  await waitingButton(page).getByTestId('waiting-to-send').waitFor();
  await page.getByRole('status').getByText('Sends when the upload ends').waitFor({ state: 'attached' });
  await expectAccessible(page);
  await release('go on');
  await answered(page);
  await messages(page).first().getByText('Read this').waitFor();
  await thread(page)
    .getByRole('button', { name: /^slow.txt/ })
    .first()
    .waitFor();
  await soon(() => messages(page).count()).toBe(2);
});

testInFullRun('the wish to send is taken back by the button, by typing and by taking a file out', async () => {
  const { page } = await stage.openElsewhere('bob');
  await openNewChat(page);
  const release = await holdUploads(page);
  await attach(page, textFile('one.txt', 'one'), textFile('two.txt', 'two'));
  await composer(page).fill('Not yet');
  await chips(page).nth(1).getByRole('progressbar').waitFor();
  await sendButton(page).focus();
  await page.keyboard.press('Space');
  await waitingButton(page).waitFor();
  expect(await focused(page)).toBe('Sends when the upload ends');
  await waitingButton(page).click();
  await sendButton(page).waitFor();
  await composer(page).press('Enter');
  await waitingButton(page).waitFor();
  await composer(page).pressSequentially('!');
  await sendButton(page).waitFor();
  await composer(page).press('Enter');
  await waitingButton(page).waitFor();
  await page.getByRole('button', { name: 'Cancel the upload of one.txt' }).click();
  await sendButton(page).waitFor();
  await release('go on');
  await uploaded(page, 1);
  await soon(() => sendButton(page).isDisabled()).toBe(false);
  expect(await composer(page).inputValue()).toBe('Not yet!');
  expect(await messages(page).count()).toBe(0);
});

testInFullRun('an upload that fails ends the wish to send, and says so', async () => {
  const { page, tolerated } = await stage.openElsewhere('carol');
  tolerated.push(/Failed to load resource|ERR_FAILED/);
  await openNewChat(page);
  const release = await sendDuringUpload(page, textFile('lost.txt', 'lost'), 'Read this');
  await release('fail');
  await page.getByTestId('toast').getByText('Your question was not sent').waitFor();
  await page.getByRole('button', { name: 'Upload lost.txt again' }).click();
  await uploaded(page, 1);
  await soon(() => sendButton(page).isDisabled()).toBe(false);
  expect(await composer(page).inputValue()).toBe('Read this');
});

test('during an answer, the question joins the queue once its file is uploaded', async () => {
  const { page } = await stage.openElsewhere('alice');
  const answer = startEndlessAnswer(stage.app);
  await openNewChat(page);
  await ask(page, `Tell me ${answer.cue}`);
  await streaming(page);
  const release = await sendDuringUpload(page, textFile('later.txt', 'later'), 'And this');
  await release('go on');
  await soon(() => chips(page).count()).toBe(0);
  await page.getByRole('region', { name: 'Waiting questions' }).getByText('And this').waitFor();
  answer.end();
  await messages(page).filter({ hasText: 'And this' }).first().waitFor();
  await thread(page)
    .getByRole('button', { name: /^later.txt/ })
    .waitFor();
});

/** Presses Enter while a file is being uploaded. Returns what lets the upload end. */
async function sendDuringUpload(page: Page, file: ReturnType<typeof textFile>, words: string) {
  const release = await holdUploads(page);
  await attach(page, file);
  await composer(page).fill(words);
  await chips(page).first().getByRole('progressbar').waitFor();
  await composer(page).press('Enter');
  await waitingButton(page).waitFor();
  return release;
}
