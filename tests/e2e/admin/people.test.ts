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
  await used.getByText('This invitation was used, has expired or is for another email address.').waitFor();

  const { page: carol } = await visitor();
  await carol.goto('/register');
  await carol.getByLabel('Email', { exact: true }).fill('carol@example.com');
  await fillForm(carol, 'Carol Example');
  await carol.getByRole('heading', { name: 'Your account is made' }).waitFor();
  await carol.getByRole('link', { name: 'Back to sign in' }).click();
  await signIn(carol, 'carol@example.com');
  await carol.getByRole('alert').getByText('This account waits for the approval of an administrator.').waitFor();

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
    'alice example disabled Carol Example – carol@example.com.',
    'alice example approved Carol Example – carol@example.com.',
  ]);
  await admin.getByRole('link', { name: 'Show all changes' }).click();
  await admin.getByText(/changed who may register: Everybody, after approval/).waitFor();
  await expectAccessible(admin);
  const saved = admin.waitForEvent('download');
  await admin.getByRole('button', { name: 'Export as CSV' }).click();
  expect((await saved).suggestedFilename()).toBe('audit.csv');
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
