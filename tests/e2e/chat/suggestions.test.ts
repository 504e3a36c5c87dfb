// What fingers know: `/` for commands, `@` for a model of one question, `#` for a file or an earlier chat, a long paste.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { isAskedAbout } from '../../support/exchange.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import {
  answered,
  ask,
  composer,
  lastMessage,
  messages,
  modelPicker,
  openId,
  openNewChat,
  stopButton,
} from '../../support/browser/chat.ts';
import { focused } from '../../support/browser/sidebar.ts';

const stage = withApp();

const list = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' });
const marked = (page: Page) => list(page).getByRole('option', { selected: true });
const chips = (page: Page) => page.getByRole('list', { name: 'On for this question' });

test('a slash lists the commands, by keyboard and pointer, and leaves ordinary text alone', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await composer(page).press('/');
  await list(page).waitFor();
  await expectAccessible(page);
  const ids = () =>
    Promise.all([composer(page).getAttribute('aria-activedescendant'), marked(page).getAttribute('id')]);
  await soon(async () => new Set(await ids()).size).toBe(1);
  await page.keyboard.type('keyb');
  await soon(() => marked(page).innerText()).toContain('Keyboard shortcuts');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await soon(() => composer(page).inputValue()).toBe('');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await composer(page).click();
  await page.keyboard.type('/archived');
  await list(page).getByRole('option', { name: 'Archived' }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await composer(page).click();
  await page.keyboard.type('/');
  await list(page).waitFor();
  await page.keyboard.press('Escape');
  await list(page).waitFor({ state: 'detached' });
  await page.keyboard.type('etc/hosts and # Title');
  expect(await list(page).count()).toBe(0);
  expect(await composer(page).inputValue()).toBe('/etc/hosts and # Title');
  await composer(page).fill('');
});

test('an at sign asks another model once, also after a reload, and the chat keeps its own', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'Herons [[plain]]');
  await answered(page);
  const own = await modelPicker(page).innerText();
  await composer(page).pressSequentially('@gpt-4-turbo');
  await soon(() => marked(page).innerText()).toContain('gpt-4-turbo-preview');
  await page.keyboard.press('Tab');
  await chips(page).getByText('gpt-4-turbo-preview').waitFor();
  await expectAccessible(page);
  await page.reload();
  await chips(page).getByText('gpt-4-turbo-preview').waitFor();
  await ask(page, 'Storks [[plain]]');
  await answered(page);
  await lastMessage(page).getByText('gpt-4-turbo-preview').waitFor();
  await soon(() => chips(page).getByRole('listitem').count()).toBe(0);
  await soon(() => modelPicker(page).innerText()).toBe(own);
  await page.reload();
  await composer(page).waitFor();
  await soon(() => modelPicker(page).innerText()).toBe(own);

  // Behind an answer that runs the question waits with its model, also in another browser.
  await ask(page, 'Rails [[never-ending]]');
  await stopButton(page).waitFor();
  await composer(page).pressSequentially('@gpt-4-turbo');
  await soon(() => marked(page).innerText()).toContain('gpt-4-turbo-preview');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Crakes [[plain]]');
  await soon(() => composer(page).inputValue()).toBe('Crakes [[plain]]');
  await page.getByTestId('send-button').click();
  await page.getByTestId('queue').getByText('gpt-4-turbo-preview').waitFor();
  // The button is gone, and one can type on.
  await soon(() => focused(page)).toMatch(/^Message/);
  await soon(() => chips(page).getByRole('listitem').count()).toBe(0);
  await expectAccessible(page);
  const { page: other } = await stage.openElsewhere('alice');
  await other.goto(`/c/${openId(page)}`);
  await other.getByTestId('queue').getByText('gpt-4-turbo-preview').waitFor();
  await other.close();
  await page.getByTestId('queue').getByRole('button', { name: 'Send now' }).click();
  await lastMessage(page).getByText('gpt-4-turbo-preview').waitFor();
  await answered(page);
  await page.reload();
  await soon(() => modelPicker(page).innerText()).toBe(own);
  await lastMessage(page).getByText('gpt-4-turbo-preview').waitFor();

  // The first question of a chat leaves it with the model that was chosen.
  await openNewChat(page);
  await composer(page).pressSequentially('@gpt-4-turbo');
  await soon(() => marked(page).innerText()).toContain('gpt-4-turbo-preview');
  await page.keyboard.press('Enter');
  await ask(page, 'Coots [[plain]]');
  await answered(page);
  await lastMessage(page).getByText('gpt-4-turbo-preview').waitFor();
  await soon(() => modelPicker(page).innerText()).toBe(own);
  await page.reload();
  await lastMessage(page).getByText('gpt-4-turbo-preview').waitFor();
  await soon(() => modelPicker(page).innerText()).toBe(own);

  await composer(page).pressSequentially('@gpt-4-turbo');
  await soon(() => marked(page).innerText()).toContain('gpt-4-turbo-preview');
  await page.keyboard.press('Enter');
  await chips(page).getByRole('button', { name: 'Do not ask gpt-4-turbo-preview' }).click();
  await soon(() => chips(page).getByRole('listitem').count()).toBe(0);
});

test('a long paste becomes a file that can be turned back, and a hash takes an earlier chat along', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'Cranes in autumn [[plain]]');
  await answered(page);
  await openNewChat(page);
  const text = 'word '.repeat(1_700);
  await paste(page, text);
  const chip = page.getByRole('group', { name: /^Pasted text.txt/ });
  await chip.waitFor();
  await expectAccessible(page);
  await chip.getByRole('button', { name: 'Put the text of Pasted text.txt into the message' }).click();
  await soon(() => composer(page).inputValue()).toBe(text);
  await chip.waitFor({ state: 'detached' });
  await soon(() => focused(page)).toMatch(/^Message/);
  await composer(page).fill('');

  await composer(page).pressSequentially('Compare with #cranes');
  await soon(() => marked(page).innerText()).toMatch(/^Cranes/);
  await page.keyboard.press('Enter');
  await page.getByRole('group', { name: /^Cranes.*\.md/ }).waitFor();
  await soon(() => composer(page).inputValue()).toBe('Compare with ');
  await soon(() => page.getByTestId('send-button').isEnabled()).toBe(true);
  await page.keyboard.press('Enter');
  await soon(() => messages(page).count()).toBe(2);
  await answered(page);
  const asked = stage.app.provider.requests.findLast(isAskedAbout('Compare with'));
  expect(JSON.stringify(asked?.body)).toContain('Cranes in autumn');
});

async function paste(page: Page, text: string): Promise<void> {
  await composer(page).click();
  await composer(page).evaluate((box, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}
