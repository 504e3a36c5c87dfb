// An answer that another model gives, and what a person takes from it.
import { textSteps, scriptedStream } from '@parley/scripts/fake-provider/scenario';
import { expect, test } from 'vitest';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { action, answered, ask, lastMessage, messages, openNewChat } from '../../support/browser/chat.ts';
import { severalEndpoints } from '../../support/browser/several-endpoints.ts';

const AWAY = { kind: 'refusal', status: 500, type: 'server_error', code: null, message: 'Away.', headers: {} } as const;

const stage = withApp(severalEndpoints());

test('a failed question is answered by another model, whose reply is copied as text, rich text and CSV', async () => {
  const answer = '## Seals\n\nTwo **kinds**:\n\n| name | size |\n| - | - |\n| Grey | +2 m |';
  let isAway = true;
  stage.app.provider.script('seals', {
    about: 'fails once, then says a table',
    script: () => (isAway ? AWAY : scriptedStream(textSteps(answer))),
  });
  const { page, context } = await stage.openElsewhere('alice');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openNewChat(page);
  await ask(page, 'Which seals? [[seals]]');
  await answered(page);
  isAway = false;
  await action(lastMessage(page), 'Try with another model').click();
  const dialog = page.getByRole('dialog', { name: 'Try with another model' });
  await dialog.getByRole('combobox').fill('mistral-l');
  await dialog.getByRole('option', { name: /^mistral-large/ }).waitFor();
  await page.keyboard.press('Enter');
  await answered(page);
  await lastMessage(page).getByRole('heading', { name: 'Seals' }).waitFor();
  await lastMessage(page).getByText('2 / 2').waitFor();
  await lastMessage(page).getByText('Mistral', { exact: true }).waitFor();
  await soon(() => lastMessage(page).locator('time').innerText()).toMatch(/now|ago/);
  await soon(() => messages(page).count()).toBe(2);

  await action(lastMessage(page), 'Copy to clipboard').click();
  await action(lastMessage(page), 'Copied to clipboard').waitFor();
  const copied = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const read = async (type: string) => (await item?.getType(type))?.text();
    return [await read('text/plain'), await read('text/html')];
  });
  expect(copied[0]).toBe(answer);
  expect(copied[1]).toContain('<strong>kinds</strong>');
  await action(lastMessage(page), 'Copy as CSV').click();
  await soon(() => page.evaluate(() => navigator.clipboard.readText())).toBe("name,size\r\nGrey,'+2 m\r\n");

  const chooseAgain = async () => {
    await action(lastMessage(page), 'More').click();
    await page.getByRole('menuitem', { name: 'Regenerate with another model' }).click();
  };
  await chooseAgain();
  await dialog.getByRole('combobox').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await chooseAgain();
  const tiny = dialog.getByRole('option', { name: /^mistral-tiny/ });
  // The list scrolls as it opens and grows as models arrive, away from under a pointer that is quicker.
  await dialog.getByRole('combobox').fill('tiny');
  await soon(() => dialog.getByRole('option').count()).toBe(1);
  await tiny.click();
  await lastMessage(page).getByText('3 / 3').waitFor();
  await answered(page);
  await lastMessage(page).getByText('mistral-tiny', { exact: false }).first().waitFor();
});
