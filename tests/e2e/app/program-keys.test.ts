// Keys for programs: made, used, revoked, by the keyboard and by the mouse.
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { openNewChat } from '../../support/browser/chat.ts';
import { focused } from '../../support/browser/keyboard.ts';

const stage = withApp();

test('a key is made with the keyboard, opens what it is for and is revoked with the mouse', async () => {
  const { page } = await stage.openElsewhere('alice');
  const keys = await openKeys(page);
  await keys.getByText('No program has a key yet.').waitFor();
  await keys.getByRole('button', { name: 'New key' }).press('Enter');
  await keys.getByRole('textbox', { name: /^Name/ }).and(page.locator(':focus')).waitFor();
  await page.keyboard.type('Night script');
  await keys.getByLabel('Limit for each month').fill('nothing');
  await keys.getByText('Enter an amount above 0, such as 5.').waitFor();
  await keys.getByLabel('Limit for each month').fill('2,5');
  await keys.getByLabel('Embeddings').press('Space');
  await keys.getByLabel('Chats and questions by /api').press('Space');
  await keys.getByLabel('Ends after').selectOption('30 days');
  await expectAccessible(page);
  await keys.getByRole('textbox', { name: /^Name/ }).press('Enter');

  await keys.getByText('Copy the key now: it is not shown again.').waitFor();
  await expectAccessible(page);
  const secret = (await keys.getByTestId('copyable-key').textContent()) ?? '';
  expect(secret).toMatch(/^pk_\w{49}$/);
  const address = (await keys.getByTestId('copyable-address').textContent()) ?? '';
  expect(await keys.getByTestId('copyable-try').textContent()).toBe(
    `curl ${address}/models -H "Authorization: Bearer ${secret}"`,
  );
  expect(await statusOf(address, secret)).toBe(200);
  expect(await statusOf(address, secret, '../api/convos')).toBe(200);
  await soon(() => focused(page)).toContain('Copy: Key');
  await keys.getByRole('button', { name: 'Done' }).press('Enter');
  await soon(() => focused(page)).toContain('New key');
  expect(await page.content()).not.toContain(secret);

  const row = keys.getByRole('listitem').filter({ hasText: 'Night script' });
  await row.getByText('Answers, List of models, Chats and questions by /api').waitFor();
  await row.getByText('$0.00 of $2.50 this month', { exact: false }).waitFor();
  await keys.getByText('What programs may call').click();
  await keys.getByText('POST /v1/chat/completions').waitFor();
  await keys.getByRole('link', { name: '/api/openapi.json' }).waitFor();
  await expectAccessible(page);
  await row.getByRole('button', { name: 'Revoke' }).click();
  await row.getByRole('button', { name: 'Confirm: revoke' }).click();
  await row.waitFor({ state: 'detached' });
  await soon(() => statusOf(address, secret)).toBe(401);
});

async function openKeys(page: Page): Promise<Locator> {
  await openNewChat(page);
  await page.keyboard.press('Control+,');
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByRole('tab', { name: 'Keys' }).click();
  return dialog.getByRole('region', { name: 'Keys for programs' });
}

async function statusOf(address: string, secret: string, path = 'models'): Promise<number> {
  const response = await fetch(`${address}/${path}`, { headers: { authorization: `Bearer ${secret}` } });
  await response.text();
  return response.status;
}
