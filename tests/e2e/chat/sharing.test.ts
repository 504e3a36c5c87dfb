// A conversation that is shared by a link: made, read without an account, continued in another one, ended.
import { expect, test } from 'vitest';
import { PASSWORD } from '../../support/browser/app.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { answered, ask, composer, messages, openNewChat } from '../../support/browser/chat.ts';

const stage = withApp();

test('a link shows the conversation to a visitor, who signs in and goes on with a copy, until its owner ends it', async () => {
  const { page: owner } = await stage.open('alice');
  await stage.open('bob');
  await openNewChat(owner);
  await ask(owner, 'Which herons stay here in winter? [[echo]]');
  await answered(owner);
  await owner.getByTestId('convo-menu-button').click();
  await owner.getByRole('menuitem', { name: 'Share…' }).click();
  const dialog = owner.getByRole('dialog', { name: 'Share the conversation' });
  await dialog.getByText('Show my name').click();
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const link = dialog.getByRole('link', { name: 'Open the link' });
  await link.waitFor();
  await expectAccessible(owner);
  const address = new URL((await link.getAttribute('href')) ?? '').pathname;

  const { page: visitor, tolerated } = await stage.visitor();
  // The link that has ended.
  tolerated.push(/status of 404/);
  const response = await visitor.goto(address);
  expect(response?.headers()['x-robots-tag']).toBe('noindex');
  await visitor.getByText('Which herons stay here in winter?', { exact: false }).first().waitFor();
  await visitor.getByText('Shared by alice', { exact: false }).waitFor();
  await soon(() => visitor.getByRole('article').count()).toBe(2);
  await expectAccessible(visitor);
  await visitor.getByRole('button', { name: 'Continue in my account' }).click();
  await visitor.getByLabel('Email', { exact: true }).fill('bob@example.com');
  await visitor.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await visitor.getByRole('button', { name: 'Continue', exact: true }).click();
  await visitor.waitForURL(/\/c\/[0-9a-f-]{36}$/);
  await messages(visitor).first().getByText('Which herons stay here in winter?', { exact: false }).waitFor();
  await ask(visitor, 'And in summer?');
  await answered(visitor);
  await soon(() => messages(visitor).count()).toBe(4);

  await dialog.getByRole('button', { name: 'End', exact: true }).click();
  await dialog.getByRole('button', { name: 'End the link' }).click();
  await soon(() => link.count()).toBe(0);
  await visitor.goto(address);
  await visitor.getByRole('heading', { name: 'This link has expired' }).waitFor();
  await visitor.getByRole('link', { name: 'To the start page' }).click();
  await composer(visitor).waitFor();
});
