// Questions that are asked by the clock: their list, their form, and what became of them.
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from '../../support/browser/axe.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { apiOf, hold, messages, openNewChat } from '../../support/browser/chat.ts';

const stage = withApp();

const DAILY = { text: 'What is new?', target: { endpoint: 'openAI', model: 'gpt-4' }, timeZone: 'UTC' };
const row = (page: Page, title: string) => page.getByRole('main').getByRole('listitem', { name: title, exact: true });

test('a person makes a schedule, sees its next times, runs, pauses and changes it, and takes it away', async () => {
  const { page } = await stage.openElsewhere('alice', { timezoneId: 'Europe/Berlin' });
  await openNewChat(page);
  await page.keyboard.press('Control+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('tab', { name: 'Chat', exact: true }).click();
  await settings.getByRole('link', { name: 'Open Schedules' }).click();
  const room = page.getByRole('main');
  await room.getByText('There are no schedules yet.').waitFor();
  await room.getByRole('link', { name: 'New schedule' }).click();
  await room.getByLabel('Title').fill('Morning news');
  await room.getByLabel('Question').fill('What happened in the night?');
  expect(await room.getByRole('combobox', { name: 'Time zone' }).inputValue()).toBe('Europe/Berlin');
  await room.getByLabel(/^Time(?! zone)/).fill('06:45');
  const times = room.getByRole('listitem');
  await soon(() => times.allInnerTexts()).toEqual(Array(3).fill(expect.stringMatching(/day.* 6:45/)));
  await expectAccessible(page);
  await room.getByRole('button', { name: 'Save' }).click();
  await row(page, 'Morning news').getByText('Monday to Friday at 6:45').waitFor();
  await row(page, 'Morning news')
    .getByText(/^Next: \w+day, .* 6:45/)
    .waitFor();
  await expectAccessible(page);

  await room.getByRole('button', { name: 'Ask now: Morning news' }).click();
  await row(page, 'Morning news').getByRole('link', { name: 'Open the chat' }).click();
  await page.waitForURL('**/c/*');
  await messages(page).filter({ hasText: 'What happened in the night?' }).first().waitFor();
  await page.goBack();

  await room.getByRole('button', { name: 'Pause Morning news' }).click();
  await row(page, 'Morning news').getByText('Paused').waitFor();
  await room.getByRole('button', { name: 'Resume Morning news' }).click();
  await row(page, 'Morning news')
    .getByText(/^Next: /)
    .waitFor();

  await room.getByRole('link', { name: 'Morning news' }).click();
  await room.getByRole('combobox', { name: 'Repeat' }).selectOption('Every week');
  await room.getByRole('combobox', { name: 'Day of the week' }).selectOption('Sunday');
  await room.getByRole('button', { name: 'Save' }).click();
  await row(page, 'Morning news').getByText('Every Sunday at 6:45').waitFor();

  await room.getByRole('button', { name: 'Delete Morning news' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await room.getByText('There are no schedules yet.').waitFor();
});

test('a rule that is refused says why before it is saved, and one time in another zone is kept', async () => {
  const { page } = await stage.openElsewhere('bob', { timezoneId: 'Europe/Berlin' });
  await page.goto('/schedules/new');
  const room = page.getByRole('main');
  await room.getByLabel('Title').fill('Often');
  await room.getByLabel('Question').fill('Now?');
  await room.getByRole('combobox', { name: 'Repeat' }).selectOption('By a cron rule');
  await room.getByLabel(/^Rule/).fill('* * * * *');
  await room.getByText('Two questions of a rule must be at least 15 minutes apart').waitFor();
  await room.getByRole('combobox', { name: 'Repeat' }).selectOption('Once');
  await room.getByLabel('Date').fill('2099-07-01');
  await room.getByLabel(/^Time(?! zone)/).fill('09:00');
  const zone = room.getByRole('combobox', { name: 'Time zone' });
  await zone.fill('Tokyo');
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
  await room.getByText('Wednesday, July 1, 2099 at 2:00 AM').waitFor();
  await room.getByRole('button', { name: 'Save' }).click();
  await row(page, 'Often').getByText('Once · Asia/Tokyo').waitFor();
});

test('what was typed into the form stays when it is left or reloaded, until it is saved or canceled', async () => {
  const { page } = await stage.open('dora');
  await page.goto('/schedules/new');
  const room = page.getByRole('main');
  await room.getByLabel('Title').fill('Half a thought');
  await room.getByLabel('Question').fill('What is');
  await room.getByRole('combobox', { name: 'Repeat' }).selectOption('Every month');
  await page.getByText('Unsaved changes stay in this browser.').waitFor();
  await page.reload();
  await soon(() => room.getByLabel('Question').inputValue()).toBe('What is');
  await room.getByRole('link', { name: 'Schedules' }).click();
  await room.getByRole('link', { name: 'New schedule' }).click();
  expect(await room.getByLabel('Title').inputValue()).toBe('Half a thought');
  expect(await room.getByRole('combobox', { name: 'Repeat' }).inputValue()).toBe('monthly');
  await room.getByLabel('Question').fill('What is new?');
  await expectAccessible(page);
  await room.getByRole('button', { name: 'Save' }).click();
  await row(page, 'Half a thought').waitFor();
  await room.getByRole('link', { name: 'New schedule' }).click();
  expect(await room.getByLabel('Title').inputValue()).toBe('');

  // A change of one that is there begins with what is stored, and is forgotten with Cancel.
  await page.goto('/schedules');
  await room.getByRole('link', { name: 'Half a thought' }).click();
  await room.getByLabel('Title').fill('Another one');
  await page.reload();
  await soon(() => room.getByLabel('Title').inputValue()).toBe('Another one');
  await room.getByRole('link', { name: 'Cancel' }).click();
  await room.getByRole('link', { name: 'Half a thought' }).click();
  expect(await room.getByLabel('Title').inputValue()).toBe('Half a thought');
});

test('what is typed while a schedule is being saved stays in its form until it is saved, too', async () => {
  const { page } = await stage.open('erin');
  const { schedules } = await apiOf(stage.app, 'erin');
  const stored = async () => (await schedules.list.query()).map(({ title }) => title);
  await page.goto('/schedules/new');
  const room = page.getByRole('main');
  const title = room.getByLabel('Title');
  await title.fill('Tides');
  await room.getByLabel('Question').fill('When is high water?');
  const release = await hold(page, /schedules\.save/);
  await room.getByRole('button', { name: 'Save' }).click();
  await title.fill('Tides and winds');
  release();
  await soon(stored).toEqual(['Tides']);
  await page.getByText('Unsaved changes stay in this browser.').waitFor();
  await room.getByRole('button', { name: 'Save', disabled: false }).click();
  // It is the same schedule, not a second one.
  await row(page, 'Tides and winds').waitFor();
  expect(await stored()).toEqual(['Tides and winds']);
  await room.getByRole('link', { name: 'New schedule' }).click();
  expect(await title.inputValue()).toBe('');
});

test('changes in another browser arrive, failures are told, and a phone shows all of it', async () => {
  const { page, tolerated } = await stage.openElsewhere('carol', {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
  });
  // The answer of the procedure.
  tolerated.push(/Failed to load resource.*404/);
  const { schedules } = await apiOf(stage.app, 'carol');
  await page.goto('/schedules');
  await page.getByText('There are no schedules yet.').waitFor();
  const id = randomUUID();
  const title =
    'A summary of everything that everybody has written about our Donaudampfschifffahrtsgesellschaftskapitän';
  await schedules.save.mutate({ id, ...DAILY, title, cron: '0 7 * * 1-5', target: { endpoint: 'nowhere' } });
  await row(page, title).waitFor();
  await page.getByRole('button', { name: `Ask now: ${title}` }).click();
  await row(page, title)
    .getByText(/^Failed: /)
    .waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await expectAccessible(page);
  await page.getByRole('link', { name: title }).click();
  await page.getByRole('main').getByLabel('Title').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await expectAccessible(page);
});
