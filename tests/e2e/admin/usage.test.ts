// What is used, and how much may be: the administrator's page, a person's, and the card where a budget ends.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { answered, ask, openNewChat, send } from '../../support/browser/chat.ts';

const stage = withApp({ OPENAI_MODELS: 'gpt-4', CURRENCY: 'EUR 0.5' });

/** The browser's own word for an answer that refuses. */
const REFUSED = /status of 402/;

test('usage is counted by person and model, and a budget holds, says what is left and leads to where it is changed', async () => {
  const { page: admin, tolerated } = await stage.open('alice');
  tolerated.push(REFUSED);
  const { page: bob, tolerated: ofBob } = await stage.open('bob');
  ofBob.push(REFUSED);
  await openNewChat(admin);
  await ask(admin, 'How much is this?');
  await answered(admin);

  await admin.goto('/admin/usage');
  await admin.getByRole('row', { name: /alice@example.com 1/ }).waitFor();
  const by = admin.getByLabel('Show', { exact: true });
  await by.focus();
  await by.selectOption('By model');
  await admin
    .getByRole('row', { name: /gpt-4 .*€/ })
    .first()
    .waitFor();
  const saved = admin.waitForEvent('download');
  await admin.getByRole('button', { name: 'Export as CSV' }).press('Enter');
  const file = await readFile(await (await saved).path(), 'utf8');
  expect(file).toContain('day,name,email,endpoint,model,kind,asks,input,output,credits,EUR');
  expect(file).toContain('alice@example.com,openAI,gpt-4,chat,1,');
  await expectAccessible(admin);

  await admin.getByRole('button', { name: 'Add a budget' }).click();
  const dialog = admin.getByRole('dialog', { name: 'Add a budget' });
  await dialog.getByLabel('For').selectOption('One person');
  await dialog.getByLabel('Email').fill('bob@example.com');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Enter an amount, such as 20.').waitFor();
  await dialog.getByLabel('Amount (EUR)').fill('0.00001');
  await expectAccessible(admin);
  await admin.keyboard.press('Enter');
  await admin.getByRole('listitem').filter({ hasText: 'bob@example.com' }).waitFor();

  await openNewChat(bob);
  await send(bob, 'May I?');
  const card = bob.getByTestId('message-error');
  await card.getByText('Your budget for this month has €0.00001 of €0.00001 left', { exact: false }).waitFor();
  await card.getByText('An administrator of this site can raise it.', { exact: false }).waitFor();
  expect(await card.getByRole('link').count()).toBe(0);
  await bob.getByTestId('nav-user').click();
  await bob.getByRole('menuitem', { name: 'Settings' }).click();
  await bob.getByRole('tab', { name: 'Usage' }).click();
  const settings = bob.getByRole('dialog', { name: 'Settings' });
  await settings.getByText('€0.00001 of €0.00001 left', { exact: false }).waitFor();
  await expectAccessible(bob);

  await admin.getByRole('button', { name: 'Add a budget' }).click();
  await dialog.getByLabel('Amount (EUR)').fill('0');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await admin.getByRole('listitem').filter({ hasText: 'Each person' }).waitFor();
  await openNewChat(admin);
  await send(admin, 'And I?');
  await admin.getByTestId('message-error').getByRole('link', { name: 'Change budgets' }).click();
  const rows = admin.getByRole('listitem').filter({ has: admin.getByRole('button', { name: /^Remove/ }) });
  await soon(() => rows.count()).toBe(2);
  await admin.getByRole('button', { name: 'Remove Each person' }).press('Enter');
  await soon(() => rows.count()).toBe(1);
  await openNewChat(admin);
  await ask(admin, 'And now?');
  await answered(admin);
  expect(await admin.getByTestId('message-error').count()).toBe(0);
  await admin.goto('/admin/audit');
  await admin.getByText('removed a budget: Each person', { exact: false }).waitFor();
});
