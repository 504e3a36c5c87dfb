// What goes along with a question, from the one menu of the message box.
import { expect, test } from 'vitest';
import { ADD, addButton } from '../../support/browser/add-menu.ts';
import { attach, chips, textFile, uploaded } from '../../support/browser/attachments.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { answered, ask, composer, openNewChat, thread } from '../../support/browser/chat.ts';
import { focused, goTo } from '../../support/browser/keyboard.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';

const stage = withApp();

test('a file of before and an earlier chat go along by keys and by pointer, and an endpoint without files says so', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await attach(page, textFile('herons.txt', 'grey'));
  await uploaded(page, 1);
  await ask(page, 'What do herons eat?');
  await answered(page);
  await openNewChat(page);
  await addButton(page).waitFor();

  await soon(() => focused(page)).toMatch(/^Message/);
  await goTo(page, ADD, 'Tab');
  await page.keyboard.press('Enter');
  const rows = page.getByRole('menuitem');
  await soon(() => rows.allInnerTexts()).toEqual([
    'Attach files',
    'From my files',
    'An earlier chat',
    'Tools',
    'Schedule this question',
  ]);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await soon(() => focused(page)).toBe(ADD);
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await soon(() => focused(page)).toBe('From my files');
  await page.keyboard.press('Enter');
  const files = page.getByRole('dialog', { name: 'My files' });
  await files.getByRole('option', { name: /^herons.txt/ }).waitFor();
  await expectAccessible(page);
  await page.keyboard.type('no such name');
  await files.getByText('Nothing found').waitFor();
  await page.keyboard.press('Escape');
  await soon(() => focused(page)).toBe(ADD);
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await files.locator('input:focus').waitFor();
  await page.keyboard.type('heron');
  await files.getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await soon(() => chips(page).count()).toBe(1);
  await soon(() => focused(page)).toMatch(/^Message/);

  await addButton(page).click();
  await page.getByRole('menuitem', { name: 'An earlier chat' }).click();
  const chats = page.getByRole('dialog', { name: 'Earlier chats' });
  await chats.getByRole('option').first().click();
  await uploaded(page, 2);
  await soon(() => focused(page)).toMatch(/^Message/);
  await page.keyboard.type('And at night?');
  await page.keyboard.press('Enter');
  await thread(page).getByText('And at night?').first().waitFor();
  await answered(page);
  expect(await chips(page).count()).toBe(0);

  await openNewChat(page);
  await page.locator('#new-conversation-menu').first().click();
  await page.getByTestId('endpoint-item-gptPlugins').click();
  await addButton(page).click();
  await page.getByRole('menuitem', { name: 'Attach files' }).press('Enter');
  await page.getByText('Plugins takes no files.').waitFor();
  await soon(() => rows.allInnerTexts()).toEqual([
    expect.stringMatching(/^Attach files/),
    'Tools',
    'Schedule this question',
  ]);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
});

test('on a phone the menu has the camera, and the box says briefly what one can type', async () => {
  const { page } = await stage.openElsewhere('bob', {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  await openNewChat(page);
  await page.getByText('Ask anything · / @ #').waitFor();
  await addButton(page).tap();
  const rows = page.getByRole('menuitem');
  await soon(() => rows.allInnerTexts()).toEqual([
    'Attach files',
    'Take a picture',
    'From my files',
    'An earlier chat',
    'Tools',
    'Schedule this question',
  ]);
  for (const row of await rows.all()) expect((await row.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await expectAccessible(page);
  const opened = page.waitForEvent('filechooser');
  await page.getByRole('menuitem', { name: 'Take a picture' }).tap();
  expect((await opened).isMultiple()).toBe(false);
  await page.getByTestId('camera-input').setInputFiles(textFile('seen.txt', 'by camera'));
  await uploaded(page, 1);
  await composer(page).fill('What is this?');
  await page.getByText('Ask anything · / @ #').waitFor({ state: 'hidden' });
});
