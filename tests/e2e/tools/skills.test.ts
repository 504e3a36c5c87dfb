// Skills: written, given a file, tried, switched on in a chat, kept in versions, taken along as a ZIP file, deleted.
import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { unzipSync, strToU8, zipSync } from 'fflate';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openTools } from '../../support/browser/add-menu.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { answered, apiOf, ask, openNewChat, thread } from '../../support/browser/chat.ts';

const stage = withApp();

async function openSkills(page: Page): Promise<Locator> {
  await page.keyboard.press('Control+,');
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByRole('tab', { name: 'Skills' }).click();
  return dialog;
}

test('a skill is written by the keyboard, tried in a chat, changed, taken back and deleted', async () => {
  const { page } = await stage.openElsewhere('skilled');
  const { skills } = await apiOf(stage.app, 'skilled');
  await openNewChat(page);
  const dialog = await openSkills(page);
  await dialog.getByText('You have no skills yet.').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'New skill' }).press('Enter');
  await soon(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
  await page.keyboard.type('Weekly Report');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Writes the weekly report');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Begin with the numbers.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).press('Enter');
  await dialog.getByRole('button', { name: 'Try in a chat' }).waitFor();
  const [saved] = await skills.list.query();
  expect(saved).toMatchObject({ name: 'weekly-report', description: 'Writes the weekly report', isShared: false });

  await dialog.getByLabel('Add file').setInputFiles({
    name: 'numbers.md',
    mimeType: 'text/markdown',
    buffer: Buffer.from('Forty-two'),
  });
  await dialog.getByText('numbers.md').waitFor();
  await expectAccessible(page);

  await dialog.getByRole('textbox', { name: 'Instructions' }).fill('Begin with a greeting.');
  // What was typed stays while the settings are closed.
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await openSkills(page);
  await dialog.getByText('Not saved').waitFor();
  await dialog.getByRole('button', { name: 'weekly-report' }).press('Enter');
  expect(await dialog.getByRole('textbox', { name: 'Instructions' }).inputValue()).toBe('Begin with a greeting.');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('One earlier version').click();
  await dialog.getByRole('button', { name: 'Use this version' }).click();
  expect(await dialog.getByRole('textbox', { name: 'Instructions' }).inputValue()).toBe('Begin with the numbers.');
  await dialog.getByRole('button', { name: 'Discard changes' }).click();

  await dialog.getByRole('button', { name: 'Try in a chat' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /weekly-report/ }).waitFor();
  await ask(page, 'ORDER read_skill {"name":"weekly-report"}\n[[obey]]');
  await answered(page);
  await thread(page).getByText('Skills').first().click();
  await thread(page).getByText('Begin with a greeting.').first().waitFor();

  await openSkills(page);
  await dialog.getByRole('button', { name: 'weekly-report' }).click();
  await dialog.getByRole('switch', { name: 'Share with everybody here' }).click();
  await soon(async () => (await skills.list.query())[0]?.isShared).toBe(true);
  await dialog.getByRole('switch', { name: 'Share with everybody here' }).click();
  await soon(async () => (await skills.list.query())[0]?.isShared).toBe(false);
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog.getByText('You have no skills yet.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await dialog.getByRole('button', { name: 'weekly-report' }).waitFor();
});

test('a skill comes as a ZIP file, says that it is not the own word, and goes as one', async () => {
  const { page, tolerated } = await stage.openElsewhere('importer');
  // The answer of the procedure.
  tolerated.push(/Failed to load resource.*422/);
  const { skills } = await apiOf(stage.app, 'importer');
  await openNewChat(page);
  const dialog = await openSkills(page);
  const buffer = Buffer.from(
    zipSync({
      'letters/SKILL.md': strToU8('---\nname: letters\ndescription: Writes letters\n---\nDear reader'),
      'letters/scripts/run.py': strToU8('print(1)'),
    }),
  );
  const importing = dialog.getByLabel('Import ZIP');
  await importing.setInputFiles({ name: 'letters.zip', mimeType: 'application/zip', buffer });
  await page.getByText('The skill letters was imported.').waitFor();
  await importing.setInputFiles({ name: 'letters.zip', mimeType: 'application/zip', buffer });
  await page.getByText('The skill was imported as letters-2: you have one called letters already.').waitFor();
  const broken = Buffer.from(zipSync({ '../SKILL.md': strToU8('x') }));
  await importing.setInputFiles({ name: 'broken.zip', mimeType: 'application/zip', buffer: broken });
  await page.getByText('This file cannot be imported.', { exact: false }).waitFor();
  expect((await skills.list.query()).map(({ name }) => name)).toEqual(['letters', 'letters-2']);

  await dialog.getByRole('button', { name: 'letters', exact: false }).first().click();
  await dialog.getByText('This skill came from a file.', { exact: false }).waitFor();
  await dialog.getByText('scripts/run.py').waitFor();
  await expectAccessible(page);
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export ZIP' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('letters.zip');
  const entries = unzipSync(new Uint8Array(readFileSync(await download.path())));
  expect(Object.keys(entries).toSorted()).toEqual(['letters/SKILL.md', 'letters/scripts/run.py']);
});

test('a skill is switched on in a chat and for a project', async () => {
  const { page } = await stage.openElsewhere('switcher');
  const { skills, folders } = await apiOf(stage.app, 'switcher');
  const id = randomUUID();
  await skills.save.mutate({ id, name: 'tables', description: 'Draws tables', body: 'Draw.' });
  const folder = await folders.create.mutate({ id: randomUUID(), name: 'Mill' });
  await openNewChat(page);
  const tools = await openTools(page);
  await tools.getByRole('switch', { name: 'tables' }).press('Space');
  await page.keyboard.press('Escape');
  await ask(page, 'ORDER read_skill {"name":"tables"}\n[[obey]]');
  await answered(page);
  await thread(page).getByText('Skills').first().waitFor();

  await page.goto(`${stage.app.url}/projects/${folder.id}`);
  await page.getByText('Choose tools', { exact: false }).click();
  await page.getByRole('switch', { name: 'tables' }).press('Space');
  await soon(async () => (await folders.list.query()).find((one) => one.id === folder.id)?.tools).toEqual([
    `skill:${id}`,
  ]);
});

test('a skill of another person is read, and not changed', async () => {
  await stage.openElsewhere('lender');
  const lender = await apiOf(stage.app, 'lender');
  const id = randomUUID();
  await lender.skills.save.mutate({ id, name: 'lent', description: 'Writes poems', body: 'Line\n'.repeat(60) });
  await lender.skills.share.mutate({ id, isShared: true });
  const { page, tolerated } = await stage.openElsewhere('borrower', { viewport: { width: 768, height: 900 } });
  await openNewChat(page);
  await page.keyboard.press('Control+,');
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByRole('button', { name: 'Skills' }).click();
  await dialog.getByRole('button', { name: /^lent/ }).press('Enter');
  await dialog.getByText(/ wrote this skill\./).waitFor();
  await dialog.getByRole('region', { name: 'Instructions' }).waitFor();
  await expectAccessible(page);
  expect(await dialog.getByRole('textbox', { name: 'Name' }).count()).toBe(0);
  await dialog.getByRole('button', { name: 'All skills' }).click();
  await lender.skills.remove.mutate({ id });
  // The answer of the procedure.
  tolerated.push(/Failed to load resource.*404/);
  await dialog.getByRole('button', { name: /^lent/ }).click();
  await dialog.getByText('This skill is not there any more.').waitFor();
});

test.each(['light', 'dark'] as const)(
  'on a phone, in the %s theme, a skill is read and changed',
  async (colorScheme) => {
    const name = `phoned-${colorScheme}`;
    const { page } = await stage.openElsewhere(name, { colorScheme, viewport: { width: 390, height: 844 } });
    const { skills } = await apiOf(stage.app, name);
    const description = `Writes ${'long '.repeat(40)}lines`;
    const { ownerId, id } = await skills.save.mutate({
      id: randomUUID(),
      name: 'a-skill-with-a-name-of-some-length',
      description,
      body: 'Write.',
    });
    await openNewChat(page);
    await page.keyboard.press('Control+,');
    const dialog = page.getByRole('dialog', { name: 'Settings' });
    await dialog.getByRole('button', { name: 'Skills' }).click();
    await dialog.getByRole('button', { name: 'a-skill-with-a-name-of-some-length' }).click();
    const area = dialog.getByRole('textbox', { name: 'Instructions' });
    await area.fill('Write more.');
    // One way back is enough.
    expect(await dialog.getByRole('button', { name: 'All settings' }).count()).toBe(0);
    const wide = await dialog.evaluate((element) => element.scrollWidth - element.clientWidth);
    expect(wide).toBeLessThanOrEqual(0);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await soon(async () => (await skills.read.query({ ownerId, id })).body).toBe('Write more.');
    await dialog.getByRole('button', { name: 'All skills' }).click();
    await dialog.getByRole('button', { name: 'New skill' }).waitFor();
    await dialog.getByRole('button', { name: 'All settings' }).waitFor();
  },
);
