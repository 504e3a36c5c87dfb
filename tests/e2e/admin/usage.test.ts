// What is used, and how much may be: the administrator's page, a person's, and the card where a budget ends; and which
// models and budgets groups have.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { answered, ask, openNewChat, send } from '../../support/browser/chat.ts';

const stage = withApp({ OPENAI_MODELS: 'gpt-4,gpt-3.5-turbo', CURRENCY: 'EUR 0.5' });

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
  // One day is no chart.
  await admin.getByText(/Questions: 1 · \w+ \d+: .*€.*, Tokens \d/).waitFor();
  expect(await admin.getByRole('heading', { name: 'By day' }).count()).toBe(0);
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
  expect(file).toContain(
    'day,name,email,endpoint,model,kind,asks,input,cachedRead,cachedWrite,output,reasoning,estimated,unpriced,credits,EUR',
  );
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

test('a group is made and filled, a model is given to it alone, and others are answered by what is left to them', async () => {
  const { page: admin, tolerated } = await stage.open('alice');
  // Nobody has the address that is typed first.
  tolerated.push(/status of 422/);
  const { page: carol } = await stage.open('carol');
  await admin.goto('/admin/groups');
  await admin.getByText('There are no groups yet.').waitFor();
  await admin.getByRole('button', { name: 'New group' }).click();
  const naming = admin.getByRole('dialog', { name: 'New group' });
  await naming.getByRole('button', { name: 'Create group' }).click();
  await naming.getByText('Enter a name.').waitFor();
  await naming.getByLabel('Name of the group').fill('Staff');
  await expectAccessible(admin);
  await admin.keyboard.press('Enter');
  await admin.getByRole('heading', { name: 'Staff' }).waitFor();
  const field = admin.getByRole('combobox', { name: 'Add someone' });
  await field.fill('nobody@example.com');
  await field.press('Enter');
  await admin.getByText('There is no account with this email address.').waitFor();
  await field.fill('alice');
  await admin.getByRole('option', { name: /alice@example\.com/ }).waitFor();
  await field.press('ArrowDown');
  await field.press('Enter');
  const members = admin.getByRole('list', { name: 'Members' });
  await members.getByText('alice@example.com').waitFor();
  await expectAccessible(admin);

  await admin.goto('/admin/providers');
  await admin.getByRole('button', { name: /OpenAI/ }).click();
  await admin.getByRole('menuitem', { name: 'Who may use it' }).click();
  const access = admin.getByRole('dialog', { name: /Who may use/ });
  await access.getByLabel('A choice of its own for a model').selectOption('gpt-4');
  await access.getByRole('group', { name: /gpt-4/ }).getByLabel('Staff').check();
  await expectAccessible(admin);
  await access.getByRole('button', { name: 'Save' }).press('Enter');
  await admin.getByText('Some models are for other groups.').waitFor();

  await carol.goto('/c/new');
  await ask(carol, 'Who answers?');
  await answered(carol);
  expect(await carol.getByTestId('message-error').count()).toBe(0);
  await admin.goto('/admin/people');
  await admin.getByRole('button', { name: /^More for .*carol/ }).click();
  await admin.getByRole('menuitem', { name: 'Groups' }).click();
  const added = admin.waitForResponse('**/trpc/*groups.addMember*');
  await admin.getByRole('dialog').getByLabel('Staff').press('Space');
  // What is on its way when a page goes away may not arrive.
  await added;
  await admin.goto('/admin/groups');
  await admin.getByText('Members: 2').waitFor();
  await admin.getByRole('button', { name: /^Delete/ }).click();
  const asked = admin.getByRole('dialog', { name: /Delete/ });
  await asked.getByText('Its members (2) leave it', { exact: false }).waitFor();
  await asked.getByText('available to administrators only (OpenAI)', { exact: false }).waitFor();
  await asked.getByRole('button', { name: 'Delete' }).click();
  await admin.getByText('There are no groups yet.').waitFor();
  await admin.goto('/admin/audit');
  await admin.getByText(/deleted the group .*Staff/).waitFor();
  await admin
    .getByText(/made the models of .*OpenAI.* available to everyone\. Single models: .*gpt-4: Staff/i)
    .waitFor();
});
