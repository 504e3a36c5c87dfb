import { randomUUID } from 'node:crypto';
import { assistants } from '@parley/db/tables/assistants';
import { pushTargets } from '@parley/db/tables/automation/push-targets';
import { mcpServers, toolGrants } from '@parley/db/tables/tools';
import { NEW_CHAT } from '@parley/schema/chat/drafts';
import type { Reason } from '@parley/schema/reasons';
import { appRouter } from '@parley/server/router';
import { errorReason } from '@parley/server/http/trpc';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, question } from '../../support/exchange.ts';
import { openTestServices, signedInAs, type Person, type TestServices } from '../../support/services.ts';
import { keepTestFile } from '../../support/uploads.ts';

let services: TestServices;
let alice: Person;
let bob: Person;
/** Ids of everything that is hers. */
let hers: Awaited<ReturnType<typeof createHers>>;

/** The other way than by default, once she has made her rows: whose a row is depends on none of them. */
const SWITCHES = {
  ALLOW_REGISTRATION: 'false',
  ALLOW_EMAIL_LOGIN: 'false',
  ALLOW_SOCIAL_LOGIN: 'true',
  ALLOW_SOCIAL_REGISTRATION: 'true',
  ALLOW_RESET_LINK: 'true',
  ALLOW_PASSWORD_RESET: 'false',
  ALLOW_UNVERIFIED_EMAIL_LOGIN: 'false',
  ALLOW_ACCOUNT_DELETION: 'false',
  ALLOW_SHARED_ASSISTANTS: 'false',
  ALLOW_SHARED_LINKS: 'false',
  ALLOW_SHARED_LINKS_PUBLIC: 'false',
  ALLOW_SHARED_PROJECTS_PUBLIC: 'false',
  API_KEYS: 'off',
  ARTIFACTS: 'off',
  ACTIONS: 'off',
  ASSISTANTS_API_KEY: 'off',
  INTERPRETER: 'off',
  MCP_USER_SERVERS: 'on',
  PUSH: 'off',
  SEARCH: 'false',
  TOOLS: 'off',
};

/** What a switch refuses before anything is looked for. */
const SWITCHED_OFF: Readonly<Record<string, Reason['type']>> = {
  'shares.create': 'forbidden',
  'notices.removeDevice': 'forbidden',
  'actions.tryOut': 'invalid_input',
};

/** Each procedure that takes an id, with hers. What they answer contains nothing of hers. */
const attempts: Record<string, () => Promise<unknown>> = {
  'convos.byId': () => bob.api.convos.byId(hers.convoRef),
  'convos.rename': () => bob.api.convos.rename({ ...hers.convoRef, title: 'Taken' }),
  'convos.update': () => bob.api.convos.update({ ...hers.convoRef, isArchived: true }),
  'convos.markRead': () => bob.api.convos.markRead({ ...hers.convoRef, messagesSeq: 1_000_000 }),
  'convos.markUnread': () => bob.api.convos.markUnread({ conversationIds: [hers.convoRef.conversationId] }),
  'convos.arrangePins': () => bob.api.convos.arrangePins({ conversationIds: [hers.convoRef.conversationId] }),
  'convos.moveToFolder': () =>
    bob.api.convos.moveToFolder({ conversationIds: [hers.convoRef.conversationId], folderId: null }),
  'convos.archiveMany': () =>
    bob.api.convos.archiveMany({ conversationIds: [hers.convoRef.conversationId], isArchived: true }),
  'convos.fork': () => bob.api.convos.fork({ ...hers.message, forkId: randomUUID() }),
  'convos.remove': () => bob.api.convos.remove(hers.convoRef),
  'convos.removeMany': () => bob.api.convos.removeMany({ conversationIds: [hers.convoRef.conversationId] }),
  'convos.restore': () => bob.api.convos.restore({ deletionId: hers.deletionId }),
  'convos.show': () => bob.api.convos.show(hers.temporaryRef),
  'convos.leave': () => bob.api.convos.leave(hers.temporaryRef),
  'convos.keep': () => bob.api.convos.keep(hers.temporaryRef),
  'convos.title': () => bob.api.convos.title(hers.convoRef),
  'messages.list': () => bob.api.messages.list(hers.convoRef),
  'messages.countQuestions': () => bob.api.messages.countQuestions(hers.message),
  'messages.ids': () => bob.api.messages.ids(hers.convoRef),
  'messages.open': () => bob.api.messages.open(hers.convoRef),
  'messages.bodies': () => bob.api.messages.bodies({ ...hers.convoRef, messageIds: [hers.message.messageId] }),
  'messages.budget': () => {
    const { conversationId, messageId: parentMessageId } = hers.message;
    return bob.api.messages.budget({ conversationId, parentMessageId, endpoint: 'openAI', text: 'Whose?' });
  },
  'messages.ask': () => bob.api.messages.ask(asking({ kind: 'regenerate', parentMessageId: hers.questionId })),
  'messages.askMany': () => {
    const target = { kind: 'regenerate' as const, parentMessageId: hers.questionId };
    const asks = [1, 2].map(() => ({ generationId: randomUUID(), replyId: randomUUID(), endpoint: 'openAI', target }));
    return bob.api.messages.askMany({ ...hers.convoRef, asks });
  },
  'compare.goOn': () => bob.api.compare.goOn({ ...hers.convoRef, replyId: hers.message.messageId }),
  'convos.setColumns': () => {
    const { messageId: replyId } = hers.message;
    const column = { endpoint: 'openAI', model: null, replyId };
    return bob.api.convos.setColumns({ ...hers.convoRef, columns: [column, column] });
  },
  'messages.edit': () => bob.api.messages.edit({ ...hers.message, text: 'Taken' }),
  'messages.save': () =>
    bob.api.messages.save({ ...hers.message, parentMessageId: null, isCreatedByUser: true, text: 'Taken' }),
  'messages.rate': () => bob.api.messages.rate({ ...hers.message, rating: 1 }),
  'messages.total': () => bob.api.messages.total(hers.convoRef),
  'messages.remove': () => bob.api.messages.remove(hers.message),
  'messages.prune': () => bob.api.messages.prune(hers.message),
  'messages.attach': async () => {
    for await (const event of await bob.api.messages.attach({ generationId: hers.running }))
      throw new Error(`Told ${event}`);
  },
  'messages.abort': () => bob.api.messages.abort({ generationId: hers.running }),
  'actions.list': () => bob.api.actions.list({ assistantId: hers.actionRef.assistantId }),
  'actions.get': () => bob.api.actions.get({ actionId: hers.actionRef.actionId }),
  'actions.signedInAt': () => bob.api.actions.signedInAt({ actionId: hers.actionRef.actionId }),
  'actions.save': () => bob.api.actions.save({ ...hers.actionRef, rawSpec: SPEC, auth: { type: 'none' } }),
  'actions.remove': () => bob.api.actions.remove(hers.actionRef),
  'mcp.update': () => bob.api.mcp.update({ ...hers.mcpRef, name: 'Taken' }),
  'mcp.remove': () => bob.api.mcp.remove(hers.mcpRef),
  'mcp.refresh': () => bob.api.mcp.refresh(hers.mcpRef),
  'mcp.setTools': () => bob.api.mcp.setTools({ ...hers.mcpRef, tools: ['echo'], isOn: false }),
  'mcp.signIn': () => bob.api.mcp.signIn(hers.mcpRef),
  'mcp.signOut': () => bob.api.mcp.signOut(hers.mcpRef),
  'shares.create': () => bob.api.shares.create({ ...hers.convoRef, leafId: null }),
  'shares.update': () => bob.api.shares.update({ id: hers.shareId }),
  'shares.list': () => bob.api.shares.list(hers.convoRef),
  'shares.revoke': () => bob.api.shares.revoke({ id: hers.shareId }),
  'folders.update': () => bob.api.folders.update({ id: hers.folderId, name: 'Taken' }),
  'folders.remove': () => bob.api.folders.remove({ id: hers.folderId }),
  'folders.setFiles': () => bob.api.folders.setFiles({ folderId: hers.folderId, fileIds: [] }),
  'folders.files': () => bob.api.folders.files({ id: hers.folderId }),
  'folders.access': () => bob.api.folders.access({ id: hers.folderId }),
  'folders.setAccess': () =>
    bob.api.folders.setAccess({ id: hers.folderId, to: { to: 'user', userId: bob.id }, level: 'edit' }),
  'folders.addShared': () =>
    bob.api.folders.addShared({ id: randomUUID(), ownerId: alice.id, folderId: hers.folderId }),
  'queue.add': () => bob.api.queue.add({ id: randomUUID(), ...hers.convoRef, text: 'Taken' }),
  'queue.edit': () => bob.api.queue.edit({ id: hers.queuedId, text: 'Taken' }),
  'queue.hold': () => bob.api.queue.hold({ ...hers.convoRef, isHeld: false }),
  'queue.remove': () => bob.api.queue.remove({ id: hers.queuedId }),
  'memories.list': () => bob.api.memories.list({ conversationIds: [hers.convoRef.conversationId] }),
  'memories.remove': () => bob.api.memories.remove({ id: hers.memoryId }),
  'memories.clear': () => bob.api.memories.clear({ conversationIds: [hers.convoRef.conversationId] }),
  'research.edit': () =>
    bob.api.research.edit({
      messageId: hers.message.messageId,
      version: 1,
      steps: [{ id: 's1', question: 'Taken?', why: '' }],
      budget: 1,
    }),
  'research.write': () => bob.api.research.write({ messageId: hers.message.messageId }),
  'schedules.runs': () => bob.api.schedules.runs({ id: hers.scheduleId }),
  'schedules.pause': () => bob.api.schedules.pause({ id: hers.scheduleId }),
  'schedules.resume': () => bob.api.schedules.resume({ id: hers.scheduleId }),
  'schedules.runNow': () => bob.api.schedules.runNow({ id: hers.scheduleId }),
  'schedules.remove': () => bob.api.schedules.remove({ id: hers.scheduleId }),
  'notices.take': () => bob.api.notices.take(hers.offer),
  'notices.removeDevice': () => bob.api.notices.removeDevice({ id: hers.deviceId }),
  'apiKeys.revoke': () => bob.api.apiKeys.revoke({ id: hers.apiKeyId }),
  'prompts.read': () => bob.api.prompts.read(hers.promptRef),
  'prompts.versions': () => bob.api.prompts.versions({ id: hers.promptRef.id }),
  'prompts.restoreVersion': () => bob.api.prompts.restoreVersion({ id: hers.promptRef.id, n: 1 }),
  'prompts.share': () => bob.api.prompts.share({ id: hers.promptRef.id, isShared: true }),
  'prompts.mark': () => bob.api.prompts.mark({ ...hers.promptRef, isFavorite: true }),
  'prompts.remove': () => bob.api.prompts.remove({ id: hers.promptRef.id }),
  'skills.read': () => bob.api.skills.read(hers.skillRef),
  'skills.versions': () => bob.api.skills.versions({ id: hers.skillRef.id }),
  'skills.restoreVersion': () => bob.api.skills.restoreVersion({ id: hers.skillRef.id, n: 1 }),
  'skills.putFile': () => bob.api.skills.putFile({ id: hers.skillRef.id, path: 'his.md', content: 'aGlz' }),
  'skills.removeFile': () => bob.api.skills.removeFile({ id: hers.skillRef.id, path: 'hers.md' }),
  'skills.exportZip': () => bob.api.skills.exportZip(hers.skillRef),
  'skills.share': () => bob.api.skills.share({ id: hers.skillRef.id, isShared: true }),
  'skills.remove': () => bob.api.skills.remove({ id: hers.skillRef.id }),
  'presets.remove': () => bob.api.presets.remove({ presetId: hers.presetId }),
  'files.remove': () => bob.api.files.remove({ ids: [hers.fileId] }),
  'files.discard': () => bob.api.files.discard({ ids: [hers.fileId], drafts: [] }),
  'files.readAgain': () => bob.api.files.readAgain({ fileId: hers.fileId }),
  'files.existing': () => bob.api.files.existing({ ids: [hers.fileId] }),
  'files.usesOf': () => bob.api.files.usesOf({ fileId: hers.fileId }),
  'files.countUses': () => bob.api.files.countUses({ ids: [hers.fileId] }),
  'files.sets.remove': () => bob.api.files.sets.remove({ id: hers.setId }),
  'files.sets.save': () => bob.api.files.sets.save({ id: randomUUID(), name: 'His', fileIds: [hers.fileId] }),
  'files.passage': () => bob.api.files.passage({ fileId: hers.fileId, n: 0 }),
  'files.text': () => bob.api.files.text({ fileId: hers.fileId }),
  'assistants.status': () => bob.api.assistants.status(hers.assistantRef),
  'assistants.get': () => bob.api.assistants.get(hers.assistantRef),
  'assistants.update': () => bob.api.assistants.update({ ...hers.assistantRef, name: 'Taken' }),
  'assistants.remove': () => bob.api.assistants.remove(hers.assistantRef),
  'assistants.removeAvatar': () => bob.api.assistants.removeAvatar(hers.assistantRef),
  'assistants.actions': () => bob.api.assistants.actions(hers.assistantRef),
  'assistants.saveAction': () =>
    bob.api.assistants.saveAction({ ...hers.actionRef, rawSpec: SPEC, auth: { type: 'none' } }),
  'assistants.removeAction': () => bob.api.assistants.removeAction(hers.actionRef),
  'assistants.run': () => bob.api.assistants.run({ generationId: hers.running }),
  'tools.revoke': () => bob.api.tools.revoke({ tool: hers.grant }),
  'actions.tryOut': () => bob.api.actions.tryOut({ actionId: hers.actionRef.actionId, operation: 'look' }),
};

/** Procedures that take no id of anything that is somebody's, or are covered by the tests named. */
const WITHOUT_IDS = new Set(
  [
    'auth: login register refresh logout requestPasswordReset resetPassword changePassword hasPassword updateProfile findInvitation resendConfirmation confirmEmail',
    // integration/auth/account.test.ts
    'auth: devices signOutDevice signOutOthers deleteAccount me balance',
    // integration/auth/factors/factors.test.ts
    'auth.factors: prove options status beginApp confirmApp remove renewRecoveryCodes',
    // integration/auth/factors/passkeys.test.ts
    'auth.passkeys: options signIn begin add rename',
    // integration/auth/factors/step-up.test.ts
    'auth.stepUp: prove options check',
    // integration/compare/ask-many.test.ts
    'compare: mine',
    'convos: list page ids pinned clear trash retention search searchPage searchEnabled changes markAllRead',
    // "lists, the trash, drafts and search show only own rows"
    'drafts: list save',
    'queue: list',
    // Rows made under an id of hers are his own.
    'schedules: list save preview',
    'settings: list set',
    // integration/notices
    'notices: watch devices addDevice tryDevice',
    // integration/memory/memories.test.ts
    'memories: decline save setMode',
    // Anyone who has a link may read and copy (integration/shares/shares.test.ts).
    'shares: revokeAll read copy',
    // Rows made under an id of hers are his own; integration/folders/sharing.test.ts has what is shared.
    'folders: list sizes create shared',
    'presets: list specs save restore removeAll',
    'prompts: list save import',
    // integration/skills/skills.test.ts
    'skills: list save importZip',
    'files: list usage config removeAvatar',
    // integration/files/file-sets.test.ts
    'files.sets: list',
    'keys: list expiry uses save remove hasAny removeAll',
    'apiKeys: list create',
    'usage: mine',
    'speech: facts clientSettings',
    'plugins: list install uninstall',
    'tools: list grants',
    'assistants: list shared create tools',
    'actions: parse',
    'mcp: list canAdd add',
    'endpoints: startup list models windows readiness tokenCount',
  ].flatMap((line) => {
    const [router = '', names = ''] = line.split(': ');
    return names.split(' ').map((name) => `${router}.${name}`);
  }),
);

const SPEC = JSON.stringify({
  servers: [{ url: 'https://api.example.com' }],
  paths: { '/': { get: { operationId: 'look' } } },
});

describe.each([
  ['by default', null],
  ['with every switch the other way', SWITCHES],
])('with ids of another user, %s', (_, switches) => {
  let switched: Awaited<ReturnType<TestServices['beside']>> | undefined;
  beforeAll(async () => {
    // An attach to what is not there waits for its ask.
    services = await openTestServices({ TITLE_CONVO: 'false', PUSH: 'on' }, { askTimeoutMs: 500 });
    alice = await services.as('alice');
    bob = await services.as('bob');
    hers = await createHers();
    if (!switches) return;
    switched = await services.beside(switches);
    alice = signedInAs(switched.deps, alice.id);
    bob = signedInAs(switched.deps, bob.id);
  });
  afterAll(async () => {
    await switched?.close();
    await services.close();
  });

  it('this test covers every procedure', () => {
    const names = Object.keys(appRouter._def.procedures).filter(
      // tests/integration/admin/roles.test.ts has those of administrators.
      (name) => !WITHOUT_IDS.has(name) && !name.startsWith('admin.'),
    );
    expect(names.toSorted()).toEqual(Object.keys(attempts).toSorted());
    expect([...WITHOUT_IDS].filter((name) => !(name in appRouter._def.procedures))).toEqual([]);
  });

  it('no procedure reads, changes or reveals anything', async () => {
    const before = await snapshot();
    for (const [name, attempt] of Object.entries(attempts)) {
      const answer = await attempt().catch((error: unknown) => error);
      const type = (switches && SWITCHED_OFF[name]) ?? 'not_found';
      if (answer instanceof Error) expect([name, errorReason(answer)]).toMatchObject([name, { type }]);
      else
        expect([
          [name, null],
          [name, undefined],
          [name, false],
          [name, []],
          [name, { count: 0 }],
          [name, { deletedCount: 0 }],
          [name, { removed: [] }],
          [name, { chats: 0, folders: 0, assistants: 0, sets: 0, skills: 0 }],
          [name, { status: 'missing' }],
          [name, { deletionId: null, deletedCount: 0, deletedMessages: 0 }],
        ]).toContainEqual([name, answer]);
    }
    await bob.api.convos.clear();
    expect(await snapshot()).toEqual(before);
  });

  it('continuing, resuming and editing a reply is refused as not found', async () => {
    const { messageId } = hers.message;
    const own = await exchange(services, bob.id, question('His own'));
    for (const conversationId of [hers.convoRef.conversationId, own.convo.conversationId]) {
      const going = asking({ kind: 'continue', messageId }, { conversationId, replyId: messageId });
      await expect(bob.api.messages.ask(going)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      const edited = asking({ kind: 'edit', messageId, text: 'Taken' }, { conversationId });
      await expect(bob.api.messages.ask(edited)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      const decided = { kind: 'resume' as const, messageId, decisions: { '0:0': 'allow' as const } };
      const resumed = asking(decided, { conversationId, replyId: messageId });
      await expect(bob.api.messages.ask(resumed)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  it('a generation id is refused like a malformed one', async () => {
    const whyNot = async (id: string) => {
      const answer = await bob.api.messages
        .ask(question('Whose?', { generationId: id }))
        .catch((error: unknown) => error);
      return answer instanceof Error ? errorReason(answer) : answer;
    };
    const malformed = await whyNot('nonsense');
    expect(malformed).toMatchObject({ type: 'invalid_input' });
    expect(await whyNot(hers.running)).toEqual(malformed);
    const own = question('His own');
    await exchange(services, bob.id, own);
    expect(await whyNot(own.generationId)).toEqual(malformed);
  });

  it('lists, the trash, drafts and search show only own rows', async () => {
    expect((await bob.api.convos.trash({})).deletions.map((one) => one.deletionId)).not.toContain(hers.deletionId);
    expect((await alice.api.convos.trash({})).deletions.map((one) => one.deletionId)).toEqual(
      expect.arrayContaining([hers.deletionId, hers.promptDeletionId]),
    );
    const taken = bob.api.convos.restore({ deletionId: hers.promptDeletionId });
    await expect(taken).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await bob.api.convos.pinned()).toEqual([]);
    expect((await bob.api.convos.list({ archived: true })).convos).toEqual([]);
    expect(await bob.api.drafts.list()).toEqual([]);
    await bob.api.drafts.save({
      key: hers.convoRef.conversationId,
      text: 'His',
      editedAt: new Date().toISOString(),
      basedOn: 0,
    });
    expect((await alice.api.drafts.list()).map(({ text }) => text)).toEqual(['Hers, unsent', 'Hers, of a new chat']);
  });

  it("new rows of one's own can be made", async () => {
    const his = await exchange(
      services,
      bob.id,
      question('Mine', {
        ...hers.convoRef,
        target: { kind: 'send', messageId: hers.questionId, parentMessageId: null, text: 'Mine' },
      }),
    );
    const before = await snapshot();
    await bob.api.messages.edit({ ...hers.convoRef, messageId: hers.questionId, text: 'Changed' });
    await bob.api.messages.prune({ ...hers.convoRef, messageId: hers.questionId });
    await bob.api.presets.restore({ presets: [{ presetId: hers.presetId, title: 'Mine', endpoint: 'openAI' }] });
    await bob.api.convos.remove({ conversationId: his.convo.conversationId });
    const folder = await bob.api.folders.create({ id: randomUUID(), name: 'His' });
    await expect(bob.api.folders.update({ id: folder.id, setIds: [hers.setId] })).rejects.toThrow('not_found');
    expect(await bob.api.folders.files({ id: folder.id })).toEqual([]);
    expect(await snapshot()).toEqual(before);
  });
});

async function createHers() {
  const first = await exchange(services, alice.id, question('For my eyes only', { model: 'fake:length' }));
  const convoRef = { conversationId: first.convo.conversationId };
  await alice.api.convos.update({ ...convoRef, isPinned: true });
  const second = await exchange(services, alice.id, question('Deleted'));
  const { deletionId } = await alice.api.convos.remove({ conversationId: second.convo.conversationId });
  const third = await exchange(services, alice.id, question('Archived'));
  await alice.api.convos.update({ conversationId: third.convo.conversationId, isArchived: true });
  const fourth = await exchange(services, alice.id, question('Temporary', { isTemporary: true }));
  const draft = { editedAt: new Date().toISOString(), basedOn: 0 };
  await alice.api.drafts.save({ ...draft, key: convoRef.conversationId, text: 'Hers, unsent' });
  await alice.api.drafts.save({ ...draft, key: NEW_CHAT, text: 'Hers, of a new chat' });
  const assistantId = 'asst_hers';
  await services.deps.db.query.insert(assistants).values({ userId: alice.id, id: assistantId, model: 'gpt-4' });
  const action = await alice.api.actions.save({ assistantId, rawSpec: SPEC, auth: { type: 'none' } });
  const mcpRef = { id: randomUUID() };
  const server = { name: 'Hers', url: 'https://mcp.example.com/', auth: 'none' as const };
  await services.deps.db.query.insert(mcpServers).values({ ...mcpRef, ...server, userId: alice.id });
  const share = await alice.api.shares.create({ ...convoRef, leafId: null });
  const folder = await alice.api.folders.create({ id: randomUUID(), name: 'Hers' });
  const preset = await alice.api.presets.save({ title: 'Hers', endpoint: 'openAI', model: 'gpt-4' });
  const prompt = await alice.api.prompts.save({ id: randomUUID(), command: 'hers', title: 'Hers', body: 'Hers' });
  const deleted = await alice.api.prompts.save({ id: randomUUID(), command: 'gone', title: 'Gone', body: 'Hers' });
  const promptDeletionId = (await alice.api.prompts.remove({ id: deleted.id })) ?? '';
  const skill = await alice.api.skills.save({ id: randomUUID(), name: 'hers', description: 'Hers', body: 'Hers' });
  await alice.api.skills.putFile({ id: skill.id, path: 'hers.md', content: 'aGVycw==' });
  const apiKey = await alice.api.apiKeys.create({ name: 'Hers', scopes: ['chat'] });
  const queuedId = randomUUID();
  await alice.api.queue.add({ id: queuedId, ...convoRef, text: 'Hers, later' });
  // No server sends it meanwhile.
  await alice.api.queue.hold({ ...convoRef, isHeld: true });
  const memoryId = randomUUID();
  await alice.api.memories.setMode({ mode: 'ask' });
  const from = { messageId: first.reply.messageId };
  await alice.api.memories.save({ id: memoryId, text: 'Hers, remembered', scope: '', from });
  const scheduleId = randomUUID();
  const daily = { text: 'Hers, daily', target: { endpoint: 'openAI' }, cron: '0 7 1 1 *', timeZone: 'UTC' };
  await alice.api.schedules.save({ id: scheduleId, title: 'Hers', ...daily });
  const deviceId = randomUUID();
  const device = {
    sid: randomUUID(),
    endpoint: 'https://fcm.googleapis.com/hers',
    keys: { sealed: '' },
    userAgent: '',
  };
  await services.deps.db.query.insert(pushTargets).values({ userId: alice.id, id: deviceId, ...device });
  const { id: fileId } = await keepTestFile(services.deps, alice.id);
  const setId = randomUUID();
  await alice.api.files.sets.save({ id: setId, name: 'Hers', fileIds: [fileId] });
  const grant = 'builtin:calculator:calculator';
  await services.deps.db.query.insert(toolGrants).values({ userId: alice.id, tool: grant, fingerprint: 'hers' });
  const input = question('Running', { model: 'fake:silent' });
  await alice.api.messages.ask(input);
  return {
    convoRef,
    deviceId,
    offer: { page: randomUUID(), id: randomUUID() },
    temporaryRef: { conversationId: fourth.convo.conversationId },
    message: { ...convoRef, messageId: first.reply.messageId },
    questionId: first.request.messageId,
    deletionId: deletionId ?? '',
    running: input.generationId,
    shareId: share.id,
    folderId: folder.id,
    queuedId,
    memoryId,
    scheduleId,
    apiKeyId: apiKey.id,
    presetId: preset.presetId,
    promptDeletionId,
    skillRef: { ownerId: alice.id, id: skill.id },
    promptRef: { ownerId: alice.id, id: prompt.id },
    fileId,
    setId,
    assistantRef: { assistantId },
    grant,
    actionRef: { assistantId, actionId: action.id },
    mcpRef,
  };
}

function asking(target: Parameters<Person['api']['messages']['ask']>[0]['target'], over: object = {}) {
  return question('', { ...hers.convoRef, target, ...over });
}

/** All that is hers, as the database has it. */
async function snapshot() {
  const plain = services.deps.db.sql;
  return {
    convos: await plain`select * from convos where user_id = ${alice.id} order by id`,
    messages: await plain`select * from messages where user_id = ${alice.id} order by seq`,
    drafts: await plain`select * from drafts where user_id = ${alice.id} order by key`,
    deletions: await plain`select * from deletions where user_id = ${alice.id} order by id`,
    mcpServers: await plain`select * from mcp_servers where user_id = ${alice.id} order by id`,
    actions: await plain`select * from actions where user_id = ${alice.id} order by id`,
    shares: await plain`select * from shares where user_id = ${alice.id} order by id`,
    folders: await plain`select * from folders where user_id = ${alice.id} order by id`,
    access: await plain`select * from access where user_id = ${alice.id}`,
    queuedAsks: await plain`select * from queued_asks where user_id = ${alice.id} order by id`,
    memories: await plain`select * from memories where user_id = ${alice.id} order by id`,
    schedules: await plain`select * from schedules where user_id = ${alice.id} order by id`,
    scheduleRuns: await plain`select * from schedule_runs where user_id = ${alice.id} order by slot`,
    pushTargets: await plain`select * from push_targets where user_id = ${alice.id} order by id`,
    apiKeys: await plain`select * from api_keys where user_id = ${alice.id} order by id`,
    prompts: await plain`select * from prompts where user_id = ${alice.id} order by id`,
    skills: await plain`select * from skills where user_id = ${alice.id} order by id`,
    skillFiles: await plain`select * from skill_files where user_id = ${alice.id} order by path`,
    skillVersions: await plain`select * from skill_versions where user_id = ${alice.id} order by n`,
    presets: await plain`select * from presets where user_id = ${alice.id} order by id`,
    fileSets: await plain`select * from file_sets where user_id = ${alice.id} order by id`,
    fileUses: await plain`select * from file_uses where user_id = ${alice.id} order by file_id, kind`,
    files: await plain`select * from files where user_id = ${alice.id} order by id`,
    assistants: await plain`select * from assistants where user_id = ${alice.id} order by id`,
    toolGrants: await plain`select * from tool_grants where user_id = ${alice.id} order by tool`,
    running: await plain`select id, stop_requested, ended_at from generations where user_id = ${alice.id} order by id`,
  };
}
