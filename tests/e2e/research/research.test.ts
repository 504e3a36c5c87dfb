// A report: it is asked for in the + menu, its plan is changed and started, its steps are watched, and it opens beside the
// chat.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { expectAccessible } from '../../support/browser/axe.ts';
import { addButton } from '../../support/browser/add-menu.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { answered, apiOf, ask, modelPicker, openNewChat, send, stopButton } from '../../support/browser/chat.ts';
import { startWeb } from '../../support/tools/fake-web.ts';

const web = await startWeb();
afterAll(() => web.close());

const stage = withApp({
  SEARXNG_URL: web.url,
  EGRESS_ALLOWED_HOSTS: '127.0.0.1',
  OPENAI_MODELS: 'gpt-4,gpt-3.5-turbo-instruct',
});

const plan = (page: Page) => page.getByRole('region', { name: 'On the parts' });
const steps = (page: Page) => page.getByRole('region', { name: 'Research steps' });

async function chooseResearch(page: Page): Promise<void> {
  await addButton(page).click();
  await page.getByRole('menuitemcheckbox', { name: 'Research' }).click();
  await page.getByRole('button', { name: 'Switch off Research' }).waitFor();
}

test('a person asks for a report, changes its plan, starts it and reads it, on two devices', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await chooseResearch(page);
  await ask(page, 'What of the parts? [[research:steps=3]]');
  await plan(page).getByRole('button', { name: 'Start' }).waitFor();
  await page.getByRole('button', { name: 'Switch off Research' }).waitFor({ state: 'detached' });
  await expectAccessible(page);
  expect(web.searches).toEqual([]);

  const phone = (await stage.openElsewhere('alice', { viewport: { width: 390, height: 780 } })).page;
  await phone.goto(page.url());
  await phone.getByRole('textbox', { name: 'Question 2' }).waitFor();
  await page.getByRole('textbox', { name: 'Question 1' }).fill('What of the first part?');
  await page.getByRole('textbox', { name: 'Question 2' }).focus();
  await soon(() => phone.getByRole('textbox', { name: 'Question 1' }).inputValue()).toBe('What of the first part?');
  await phone.getByRole('button', { name: 'Remove question 2' }).click();
  await soon(() => page.getByRole('textbox', { name: 'Question 2' }).inputValue()).toBe('What of part 3?');
  await page.reload();
  await soon(() => page.getByRole('textbox', { name: 'Question 1' }).inputValue()).toBe('What of the first part?');

  await plan(page).getByRole('button', { name: 'Add a question' }).click();
  // The new question has the focus.
  await page.keyboard.type('What of all parts?');
  await plan(page).getByRole('button', { name: 'Start' }).click();
  for (const device of [page, phone]) {
    await steps(device)
      .getByRole('listitem')
      .nth(2)
      .getByText(/2 sources/)
      .waitFor();
    await device
      .getByRole('button', { name: /On the parts/ })
      .first()
      .waitFor();
  }
  expect(web.searches.toSorted()).toEqual(['What of all parts?', 'What of part 3?', 'What of the first part?']);
  await answered(page);
  await expectAccessible(page);
  await page
    .getByRole('button', { name: /On the parts/ })
    .first()
    .click();
  await page.getByRole('complementary').getByText('42 of them').first().waitFor();

  // It is saved as any artifact of its kind.
  const downloading = page.waitForEvent('download');
  await page.getByRole('complementary').getByRole('button', { name: 'Save as a file' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('On-the-parts.md');
  expect(readFileSync(await download.path(), 'utf8')).toContain('42 of them');
});

test('a person stops the steps, and the report is written from what there is', async () => {
  const { page } = await stage.open('bob');
  await openNewChat(page);
  await chooseResearch(page);
  await ask(page, 'What of the parts? [[research:steps=3,slow]]');
  await plan(page).getByRole('button', { name: 'Start' }).click();
  await steps(page).getByText('Searching for “What of part 1?”').waitFor();
  await expectAccessible(page);
  await page.reload();
  await steps(page).getByRole('button', { name: 'Stop and write what there is' }).click();
  await page
    .getByRole('button', { name: /On the parts/ })
    .first()
    .waitFor();
  await steps(page).getByText('Skipped: no time or budget left').first().waitFor();
  await stopButton(page).waitFor({ state: 'detached' });
});

test('a plan can be left for an ordinary answer, by the keyboard', async () => {
  const { page } = await stage.open('carol');
  await openNewChat(page);
  await addButton(page).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitemcheckbox', { name: 'Research' }).press('Enter');
  await send(page, 'What of the parts? [[research:steps=3]]');
  await plan(page).getByRole('button', { name: 'Answer without research' }).press('Enter');
  await answered(page);
  const api = await apiOf(stage.app, 'carol');
  const [convo] = (await api.convos.list.query({})).convos;
  expect(convo?.running).toBeNull();
});

test('research says why it is not there', async () => {
  const { page } = await stage.open('dave');
  await openNewChat(page);
  await modelPicker(page).click();
  await page.getByRole('option', { name: 'gpt-3.5-turbo-instruct' }).click();
  await addButton(page).click();
  const row = page.getByRole('menuitem', { name: 'Research This model takes no tools' });
  await row.waitFor();
  expect(await row.getAttribute('aria-disabled')).toBe('true');
  await expectAccessible(page);
});
