import { connect } from '@parley/db/client';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PASSWORD } from '../../support/browser/app.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { composer } from '../../support/browser/chat.ts';

const stage = withApp({ LOGIN_MAX: '100', REGISTER_MAX: '100' });

/** The browser's own word for an answer that refuses. */
const REFUSED = /status of (400|401|403)/;

test('somebody is invited, another approved and disabled; signing in says so, and the log of changes has it all', async () => {
  const { page: admin, tolerated } = await stage.open('alice');
  tolerated.push(REFUSED);
  await admin.goto('/admin/people');
  await admin.getByRole('row', { name: /alice@example.com/ }).waitFor();

  // By the keyboard: who may register.
  const mode = admin.getByLabel('New accounts');
  await mode.focus();
  await mode.selectOption('Everybody, after approval');
  const save = admin.getByRole('button', { name: 'Save' });
  await soon(() => save.isEnabled()).toBe(true);
  await save.press('Enter');
  await admin.getByText('Saved. It acts at once.').waitFor();

  await admin.getByRole('button', { name: 'Invite' }).click();
  await admin.getByLabel('Email (optional)').fill('bob@example.com');
  await admin.getByRole('button', { name: 'Make a link' }).click();
  const link = new URL(await admin.getByTestId('link-to-copy').inputValue());
  await expectAccessible(admin);
  await admin.keyboard.press('Escape');
  await admin.getByRole('listitem').getByText('bob@example.com').waitFor();

  const { page: bob } = await visitor();
  await bob.goto(link.pathname + link.search);
  await bob.getByRole('heading', { name: 'You are invited' }).waitFor();
  expect(await bob.getByLabel('Email', { exact: true }).inputValue()).toBe('bob@example.com');
  await fillForm(bob, 'Bob Example');
  await bob.waitForURL('**/c/new');
  await composer(bob).waitFor();

  const { page: used } = await visitor();
  await used.goto(link.pathname + link.search);
  await used.getByText('This invitation has been used, has expired or is for another email address.').waitFor();

  const { page: carol } = await visitor();
  await carol.goto('/register');
  await carol.getByLabel('Email', { exact: true }).fill('carol@example.com');
  await fillForm(carol, 'Carol Example');
  await carol.getByRole('heading', { name: 'Your account is made' }).waitFor();
  await carol.getByRole('link', { name: 'Back to sign in' }).click();
  await signIn(carol, 'carol@example.com');
  await carol.getByRole('alert').getByText("This account is waiting for an administrator's approval.").waitFor();

  await admin.reload();
  await admin
    .getByRole('listitem')
    .filter({ hasText: 'carol@example.com' })
    .getByRole('button', { name: 'Approve' })
    .click();
  await soon(() => admin.getByRole('heading', { name: 'Waiting for approval' }).count()).toBe(0);
  await signIn(carol, 'carol@example.com');
  await carol.waitForURL('**/c/new');

  await admin.getByRole('searchbox', { name: 'Search people' }).fill('carol');
  await soon(() => admin.getByRole('row').count()).toBe(2);
  await admin.getByRole('button', { name: /^More for .*Carol/ }).click();
  await admin.getByRole('menuitem', { name: 'Disable' }).click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Disable' }).press('Enter');
  await admin.getByRole('row').getByText('disabled').waitFor();
  await carol.waitForURL('**/login');
  await signIn(carol, 'carol@example.com');
  await carol.getByRole('alert').getByText('An administrator has disabled this account.').waitFor();

  await admin.getByRole('button', { name: /^More for .*Carol/ }).click();
  await admin.getByRole('menuitem', { name: 'Show changes' }).click();
  await admin.getByRole('heading', { name: 'Changes of one account' }).waitFor();
  await soon(async () => (await admin.getByRole('rowheader').allInnerTexts()).map(withoutMarks)).toEqual([
    'alice example disabled Carol Example (carol@example.com).',
    'alice example approved Carol Example (carol@example.com).',
  ]);
  await admin.getByRole('link', { name: 'Show all changes' }).click();
  await admin.getByText(/changed who may register: Everybody, after approval/).waitFor();
  await expectAccessible(admin);
  const saved = admin.waitForEvent('download');
  await admin.getByRole('button', { name: 'Export as CSV' }).click();
  expect((await saved).suggestedFilename()).toBe('audit.csv');
});

test('an administrator sees how the server is, searches the log of changes, and sets how long chats stay', async () => {
  const { page: admin } = await stage.open('alice');
  await admin.goto('/admin');
  await admin.waitForURL('**/admin/overview');
  const needs = admin.getByRole('region', { name: 'Needs attention' });
  await needs.getByRole('button', { name: 'Make a backup' }).click();
  await admin.getByRole('dialog', { name: 'Make a backup' }).getByText('npm run backup -- saved.zip').waitFor();
  await expectAccessible(admin);
  await admin.keyboard.press('Escape');
  await admin.getByText(/Healthy: .*Providers|Failed answers in the last hour: \d/).waitFor();
  await admin.getByText(/^Healthy: .*Database/).click();
  await admin.getByRole('row', { name: / ready$/ }).waitFor();
  await expectAccessible(admin);

  // Where there is no room for the list of sections, a field has all of them.
  await admin.setViewportSize({ width: 390, height: 844 });
  await admin.getByRole('combobox', { name: 'Administration' }).selectOption('Groups');
  await admin.waitForURL('**/admin/groups');
  await expectAccessible(admin);
  await admin.setViewportSize({ width: 1280, height: 720 });

  // By the keyboard: nothing is deleted before it is said how much that is.
  await admin.getByRole('link', { name: 'Retention' }).press('Enter');
  const days = admin.getByLabel('Delete chats after this many days without a new message');
  await days.fill('ten');
  await days.press('Enter');
  await admin.getByText('Enter whole days from 1 to 3650, or nothing.').waitFor();
  await days.fill('1000');
  await expectAccessible(admin);
  await days.press('Enter');
  const asked = admin.getByRole('dialog', { name: 'Delete what is older?' });
  await asked.getByText('Chats this deletes now: 0.', { exact: false }).waitFor();
  await soon(() => asked.getByRole('button', { name: 'Save' }).evaluate((one) => one === document.activeElement)).toBe(
    true,
  );
  await admin.keyboard.press('Enter');
  await admin.getByText('Saved. It acts within about an hour.').waitFor();

  await admin.getByRole('link', { name: 'Audit log' }).click();
  await admin.getByLabel('What was changed').selectOption('Retention');
  const row = admin.getByRole('rowheader', { name: /changed how long data is kept. Chats: 1,000 days/ });
  await row.waitFor();
  await soon(() => admin.getByRole('rowheader').count()).toBe(1);
  await admin.getByLabel('To day').fill('2020-01-01');
  await admin.getByText('Nothing found. Try another word or a longer period.').waitFor();
  await admin.getByLabel('To day').fill('');
  await admin.getByRole('searchbox', { name: 'Name, email or address' }).fill('alice');
  await row.waitFor();
  await expectAccessible(admin);

  const { page: bob } = await stage.open('bob');
  await bob.goto('/c/new');
  await bob.getByTestId('nav-user').click();
  await bob.getByRole('menuitem', { name: 'Settings' }).click();
  await bob.getByRole('tab', { name: 'Chats and files' }).click();
  await bob
    .getByText('Chats without a new message for 1,000 days move to Recently deleted', { exact: false })
    .waitFor();
});

test('an administrator whose last proof is old types the password before somebody is disabled', async () => {
  const { page: admin, tolerated } = await stage.open('alice');
  tolerated.push(REFUSED, /status of 422/);
  const db = connect(stage.app.database, { max: 1 });
  await db.sql`insert into users (email, name) values ('dave@example.com', 'Dave Example')`;
  await db.sql`update sessions set elevated_until = now() - interval '1 second'`;
  await db.end();
  await admin.goto('/admin/people');
  const row = admin.getByRole('row', { name: /dave@example.com/ });
  await row.waitFor();
  await admin.getByRole('button', { name: /^More for .*dave/i }).click();
  await admin.getByRole('menuitem', { name: 'Disable' }).click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Disable' }).press('Enter');
  const confirm = admin.getByRole('dialog', { name: 'Confirm that it is you' });
  await confirm.waitFor();
  await soon(() => row.getByText('disabled').count()).toBe(0);
  await expectAccessible(admin);
  // The field has the focus.
  await admin.keyboard.type('nine brown bottles');
  await admin.keyboard.press('Enter');
  await confirm.getByText('The password is incorrect.').waitFor();
  await confirm.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await admin.keyboard.press('Enter');
  await row.getByText('disabled').waitFor();
  await soon(() => admin.getByRole('dialog').count()).toBe(0);
});

async function visitor() {
  const visit = await stage.visitor();
  visit.tolerated.push(REFUSED);
  return visit;
}

async function fillForm(page: Page, name: string): Promise<void> {
  await page.getByLabel('Full name').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
}

/** Without the signs that keep names of another direction apart. */
function withoutMarks(text: string): string {
  return text.replaceAll(/[\u2068\u2069]/g, '');
}
