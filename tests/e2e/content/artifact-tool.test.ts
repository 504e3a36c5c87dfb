// A model changes what it has made by a call of its tool, and the person sees each version beside the chat.
import { test } from 'vitest';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { answered, ask, lastMessage, openNewChat } from '../../support/browser/chat.ts';
import { openTools } from '../../support/browser/add-menu.ts';

const stage = withApp();

test('a page is made and changed by calls, with a version of the person between them', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  const menu = await openTools(page);
  const artifacts = menu.getByRole('switch', { name: 'Artifacts' });
  await artifacts.press('Space');
  await soon(() => artifacts.isChecked()).toBe(true);
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Switch off Artifacts' }).waitFor();

  const call = async (args: object) => {
    await ask(page, `call artifact ${JSON.stringify(args)} [[tool-steps]]`);
    await answered(page);
  };
  await call({ id: 'pond', title: 'The pond', kind: 'html', text: '<h1>Herons: one</h1>' });
  await lastMessage(page).getByRole('button', { name: 'Open The pond' }).click();
  const pane = page.getByTestId('artifact-pane');
  const shown = pane.frameLocator('iframe[title="The pond"]').frameLocator('iframe');
  await shown.getByRole('heading', { name: 'Herons: one' }).waitFor();
  await soon(() => lastMessage(page).locator('[data-artifact]').innerText()).toMatch(/version 1 · 1 line/);

  await call({ id: 'pond', edits: [{ find: 'one', replace: 'two' }] });
  await shown.getByRole('heading', { name: 'Herons: two' }).waitFor();
  await pane.getByText('version 2 of 2').waitFor();
  await soon(() => lastMessage(page).locator('[data-artifact]').innerText()).toMatch(/version 2/);
  await expectAccessible(page);

  await pane.getByRole('tab', { name: 'Source' }).click();
  await expectAccessible(page);
  await pane.getByRole('button', { name: 'Edit' }).click();
  await pane.getByRole('textbox', { name: 'Source' }).fill('<h1>Storks: two</h1>');
  await pane.getByRole('button', { name: 'Save', exact: true }).click();
  await shown.getByRole('heading', { name: 'Storks: two' }).waitFor();
  await pane.getByText('version 3 of 3').waitFor();

  await call({ id: 'pond', edits: [{ find: 'two', replace: 'three' }] });
  await shown.getByRole('heading', { name: 'Storks: three' }).waitFor();
  await pane.getByText('version 4 of 4').waitFor();

  await page.reload();
  await lastMessage(page).getByRole('button', { name: 'Open The pond' }).click();
  await pane.getByText('version 4 of 4').waitFor();
  await shown.getByRole('heading', { name: 'Storks: three' }).waitFor();
  await pane.getByRole('tab', { name: 'Versions' }).click();
  await expectAccessible(page);
  await pane.getByRole('button', { name: 'Version 2' }).click();
  await shown.getByRole('heading', { name: 'Herons: two' }).waitFor();
});
