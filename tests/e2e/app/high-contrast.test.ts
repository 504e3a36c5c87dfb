// The screens where the system has replaced all colours: what is chosen, on or focused still shows.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { answered, ask, modelPicker, openNewChat } from '../../support/browser/chat.ts';
import { unfocused, unmarked } from '../../support/browser/marks.ts';

const stage = withApp();

/** Each screen is named in what a failure tells. */
async function expectMarked(page: Page, screen: string): Promise<void> {
  expect.soft(await unmarked(page), `chosen, on or a field: ${screen}`).toEqual([]);
  expect.soft(await unfocused(page), `focused: ${screen}`).toEqual([]);
}

test('what is chosen, on or focused is marked on every screen', async () => {
  const { page } = await stage.open('alice');
  await page.emulateMedia({ forcedColors: 'active' });
  await openNewChat(page);
  await page.getByTestId('landing-title').waitFor();
  await expectMarked(page, 'empty chat');

  await modelPicker(page).click();
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('ArrowDown');
  await expectMarked(page, 'model list');
  await page.keyboard.press('Escape');
  await page.getByRole('option').first().waitFor({ state: 'detached' });

  await ask(page, 'Herons in flight [[markdown]]');
  await answered(page);
  await expectMarked(page, 'chat');

  await page.getByTestId('nav-user').click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.waitFor();
  for (const tab of await dialog.getByRole('tab').all()) {
    await tab.click();
    await soon(() => tab.getAttribute('aria-selected')).toBe('true');
    await expectMarked(page, `settings ${await tab.innerText()}`);
  }
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await page.goto('/assistants/new');
  await page.getByRole('textbox', { name: 'Name' }).waitFor();
  await expectMarked(page, 'builder');
  await page.goto('/assistants');
  await page.getByRole('heading').first().waitFor();
  await expectMarked(page, 'assistants');

  await openNewChat(page);
  await page.getByRole('button', { name: 'Add files and tools' }).click();
  await page.getByRole('menuitem', { name: 'Tools' }).click();
  await page.getByRole('switch').or(page.getByRole('menuitemcheckbox')).or(page.getByRole('option')).first().waitFor();
  await expectMarked(page, 'tools');
});

test('so is what a visitor meets: sign-in, and a conversation that is shared', async () => {
  const { page: owner } = await stage.open('bob');
  await openNewChat(owner);
  await ask(owner, 'Which herons stay?');
  await answered(owner);
  await owner.getByTestId('share-button').click();
  const dialog = owner.getByRole('dialog', { name: 'Share the chat' });
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const address = await dialog.getByRole('link', { name: 'Open the link' }).getAttribute('href');

  const { page } = await stage.visitor();
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/login');
  await page.getByLabel('Email', { exact: true }).waitFor();
  await expectMarked(page, 'sign-in');
  await page.goto(new URL(address ?? '').pathname);
  await page.getByRole('article').first().waitFor();
  await expectMarked(page, 'shared conversation');
});
