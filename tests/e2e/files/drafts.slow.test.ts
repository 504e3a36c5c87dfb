// The files of an unsent question, in all browsers of a person.
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { apiClient } from '../../support/browser/api-client.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { attach, chips, textFile, uploaded } from '../../support/browser/attachments.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { answered, composer, openNewChat, sendButton } from '../../support/browser/chat.ts';

const stage = withApp();
const names = (page: Page) => page.locator('[data-chip]').evaluateAll((all) => all.map((one) => one.ariaLabel));

test('files attached at the desk are on the phone, and what is taken out or sent there is gone at the desk', async () => {
  const { page: desk } = await stage.open('alice');
  const { page: phone } = await stage.open('alice', 'phone');
  await openNewChat(desk);
  await openNewChat(phone);
  await attach(desk, textFile('one.txt', 'one'), textFile('two.txt', 'two'));
  await soon(() => names(phone)).toEqual(['one.txt, 3 bytes', 'two.txt, 3 bytes']);
  await phone.getByRole('button', { name: 'Remove one.txt' }).click();
  await soon(() => names(desk)).toEqual(['two.txt, 3 bytes']);
  await composer(desk).fill('Read this');
  await soon(() => composer(phone).inputValue()).toBe('Read this');
  await sendButton(phone).click();
  await answered(phone);
  await soon(() => chips(desk).count()).toBe(0);
});

test('a file that is deleted meanwhile is shown as gone, is not sent, and can be taken out', async () => {
  const { page } = await stage.open('bob');
  await openNewChat(page);
  await attach(page, textFile('short-lived.txt', 'x'), textFile('kept.txt', 'y'));
  await uploaded(page, 2);
  await soon(() => sendButton(page).isDisabled()).toBe(false);
  const bob = await apiClient(stage.app, 'bob');
  const files = (await bob.call('GET', '/api/files')) as { filename: string; file_id: string }[];
  const { file_id: fileId } = files.find(({ filename }) => filename === 'short-lived.txt') ?? {};
  await bob.call('DELETE', '/api/files', { files: [{ file_id: fileId }] });
  await page.reload();
  await soon(() => names(page)).toEqual([
    'short-lived.txt, short-lived.txt is no longer available',
    'kept.txt, 1 byte',
  ]);
  await soon(() => sendButton(page).isDisabled()).toBe(true);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Remove short-lived.txt' }).click();
  await soon(() => sendButton(page).isDisabled()).toBe(false);
  expect(await names(page)).toEqual(['kept.txt, 1 byte']);
});
