// A project of one person answers the chats of another, until its owner takes it away.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { expectAccessible } from '../../support/browser/axe.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { answered, answerText, apiOf, ask, openId, visit } from '../../support/browser/chat.ts';
import { answerRequests } from '../../support/exchange.ts';

const stage = withApp();

test('a member adds the project, its answers know its files, and no longer once the owner takes it away', async () => {
  const { page: owner, tolerated } = await stage.open('alice');
  // Of an address that nobody has.
  tolerated.push(/422 \(Unprocessable/);
  const { page: member } = await stage.open('bob');
  const [hers, his] = [await apiOf(stage.app, 'alice'), await apiOf(stage.app, 'bob')];
  const { id } = await hers.folders.create.mutate({
    id: randomUUID(),
    name: 'Mill',
    instructions: 'Say it as a miller.',
  });
  await visit(owner, `/projects/${id}`);
  const fact = { name: 'mill.txt', mimeType: 'text/plain', buffer: Buffer.from('The sluice opens at 23 past five.') };
  await owner.getByLabel('Add files').setInputFiles(fact);
  await owner.getByText(/^Read · /).waitFor();

  const person = owner.getByLabel('E-mail address or user name');
  const share = owner.getByRole('button', { name: 'Share', exact: true });
  await person.fill('nobody@example.com');
  await share.click();
  await owner.getByText('There is no account with this e-mail address or user name.').waitFor();
  const { email } = await his.auth.me.query();
  await person.fill(email);
  await share.click();
  const given = owner.getByRole('list', { name: 'Shared with' });
  await given.getByRole('listitem').waitFor();
  await expectAccessible(owner);

  await visit(member, '/projects');
  await member.getByRole('button', { name: 'Add Mill' }).click();
  await member.getByText('shares this project with you. Your chats are yours alone.').waitFor();
  await member.getByText('mill.txt').waitFor();
  expect(await member.getByLabel('Add files').count()).toBe(0);
  expect(await member.getByRole('textbox', { name: 'Instructions' }).count()).toBe(0);
  await expectAccessible(member);
  await member.getByRole('button', { name: 'New chat in this project' }).click();
  await ask(member, 'When does the sluice open?');
  await answered(member);
  expect(await sent()).toContain('23 past five');
  expect(await sent()).toContain('Say it as a miller.');
  // The chat is in his folder and in none of hers.
  const { folderId } = await his.convos.byId.query({ conversationId: openId(member) });
  await visit(owner, `/projects/${id}`);
  await owner.getByText('No chats yet.').waitFor();

  await given.getByRole('button', { name: /^Stop sharing with/ }).click();
  await owner.getByText('Only you use it.').waitFor();
  // In a chat that has never heard of it.
  await visit(member, `/projects/${folderId}`);
  await member.getByText('This project is no longer shared with you.').waitFor();
  await member.getByRole('button', { name: 'New chat in this project' }).click();
  await ask(member, 'When does the sluice open, again?');
  await answered(member);
  expect(await sent()).not.toContain('23 past five');
  expect(await sent()).not.toContain('Say it as a miller.');
  await visit(member, `/projects/${folderId}`);
  await soon(() => member.getByRole('list', { name: 'Chats' }).getByRole('link').count()).toBe(2);
  await expectAccessible(member);

  /** What the provider was sent last. */
  async function sent(): Promise<string> {
    return JSON.stringify(answerRequests(stage.app.provider).at(-1)?.body ?? null);
  }
});

test('new chats begin with the tools of a project, and a member who may edit changes it for everybody', async () => {
  const { page: member } = await stage.open('bob');
  const [hers, his] = [await apiOf(stage.app, 'alice'), await apiOf(stage.app, 'bob')];
  const { id: userId } = await his.auth.me.query();
  const { id } = await hers.folders.create.mutate({ id: randomUUID(), name: 'Bakery' });
  await hers.folders.setAccess.mutate({ id, to: { to: 'user', userId }, level: 'edit' });
  const { id: ownerId } = await hers.auth.me.query();
  const link = await his.folders.addShared.mutate({ id: randomUUID(), ownerId, folderId: id });
  await visit(member, `/projects/${link.id}`);
  await member.getByRole('textbox', { name: 'Instructions' }).fill('Say it as a baker.');
  const ofHers = async () => (await hers.folders.list.query()).find((folder) => folder.id === id);
  await soon(async () => (await ofHers())?.instructions).toBe('Say it as a baker.');
  const tools = member.getByRole('region', { name: 'Tools' });
  await tools.getByText('Choose tools (None)').click();
  await tools
    .getByRole('switch', { name: /Calculator/ })
    .first()
    .click({ force: true });
  await soon(async () => (await ofHers())?.tools).toEqual(['calculator']);
  await expectAccessible(member);
  await member.getByRole('button', { name: 'New chat in this project' }).click();
  await ask(member, 'Two and two');
  await answered(member);
  const { settings } = await his.convos.byId.query({ conversationId: openId(member) });
  expect(settings).toMatchObject({ tools: ['calculator'] });
  expect(await answerText(member).count()).toBeGreaterThan(0);

  await visit(member, `/projects/${link.id}`);
  const leave = member.getByRole('button', { name: 'Leave', exact: true });
  await leave.click();
  await member.getByRole('button', { name: 'Leave? Your chats stay' }).click();
  await member.getByRole('button', { name: 'Add Bakery' }).waitFor();
});
