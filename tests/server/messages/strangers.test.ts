import { randomUUID } from 'node:crypto';
import { NEW_CHAT } from '@parley/schema/drafts';
import { appRouter } from '@parley/server/router';
import { reasonOf } from '@parley/server/trpc';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, question } from '../../support/exchange.ts';
import { openTestRooms, type Person, type TestRooms } from '../../support/rooms.ts';

let rooms: TestRooms;
let alice: Person;
let bob: Person;
/** Ids of everything that is hers. */
let hers: Awaited<ReturnType<typeof createHers>>;

beforeAll(async () => {
  rooms = await openTestRooms();
  alice = await rooms.as('alice');
  bob = await rooms.as('bob');
  hers = await createHers();
});
afterAll(() => rooms.close());

/** Each procedure that takes an id, with hers. What they answer says nothing of hers. */
const attempts: Record<string, () => Promise<unknown>> = {
  'convos.byId': () => bob.api.convos.byId(hers.place),
  'convos.rename': () => bob.api.convos.rename({ ...hers.place, title: 'Taken' }),
  'convos.update': () => bob.api.convos.update({ ...hers.place, isArchived: true }),
  'convos.archiveMany': () =>
    bob.api.convos.archiveMany({ conversationIds: [hers.place.conversationId], isArchived: true }),
  'convos.fork': () => bob.api.convos.fork({ ...hers.message, forkId: randomUUID() }),
  'convos.remove': () => bob.api.convos.remove(hers.place),
  'convos.removeMany': () => bob.api.convos.removeMany({ conversationIds: [hers.place.conversationId] }),
  'convos.restore': () => bob.api.convos.restore({ deletionId: hers.deletionId }),
  'convos.title': () => bob.api.convos.title(hers.place),
  'messages.list': () => bob.api.messages.list(hers.place),
  'messages.countQuestions': () => bob.api.messages.countQuestions(hers.message),
  'messages.ids': () => bob.api.messages.ids(hers.place),
  'messages.open': () => bob.api.messages.open(hers.place),
  'messages.bodies': () => bob.api.messages.bodies({ ...hers.place, messageIds: [hers.message.messageId] }),
  'messages.budget': () => {
    const { conversationId, messageId: parentMessageId } = hers.message;
    return bob.api.messages.budget({ conversationId, parentMessageId, endpoint: 'openAI', text: 'Whose?' });
  },
  'messages.ask': () => bob.api.messages.ask(asking({ kind: 'regenerate', parentMessageId: hers.questionId })),
  'messages.edit': () => bob.api.messages.edit({ ...hers.message, text: 'Taken' }),
  'messages.save': () =>
    bob.api.messages.save({ ...hers.message, parentMessageId: null, isCreatedByUser: true, text: 'Taken' }),
  'messages.remove': () => bob.api.messages.remove(hers.message),
  'messages.prune': () => bob.api.messages.prune(hers.message),
  'messages.attach': async () => {
    for await (const event of await bob.api.messages.attach({ generationId: hers.running }))
      throw new Error(`Told ${event}`);
  },
  'messages.abort': () => bob.api.messages.abort({ generationId: hers.running }),
};

/** Procedures that take no id of anything that is somebody's. */
const WITHOUT_IDS = [
  'list',
  'page',
  'ids',
  'pinned',
  'clear',
  'bin',
  'search',
  'searchPage',
  'searchEnabled',
  'changes',
].map((name) => `convos.${name}`);

describe('with ids of another user', () => {
  it('every procedure of conversations and messages is tried here', () => {
    const names = Object.keys(appRouter._def.procedures).filter((name) => /^(convos|messages)\./.test(name));
    expect(names.filter((name) => !WITHOUT_IDS.includes(name)).toSorted()).toEqual(Object.keys(attempts).toSorted());
  });

  it('no procedure finds, changes or tells of anything', async () => {
    const before = await snapshot();
    for (const [name, attempt] of Object.entries(attempts)) {
      const answer = await attempt().catch((error: unknown) => error);
      if (answer instanceof Error) expect([name, reasonOf(answer)]).toMatchObject([name, { type: 'not_found' }]);
      else
        expect([
          [name, null],
          [name, { count: 0 }],
          [name, { deletionId: null, deletedCount: 0, deletedMessages: 0 }],
        ]).toContainEqual([name, answer]);
    }
    await bob.api.convos.clear();
    expect(await snapshot()).toEqual(before);
  }, 60_000);

  it('continuing and editing an answer finds nothing either', async () => {
    const { messageId } = hers.message;
    const own = await exchange(rooms, bob.id, question('His own'));
    for (const conversationId of [hers.place.conversationId, own.convo.conversationId]) {
      const going = asking({ kind: 'continue', messageId }, { conversationId, replyId: messageId });
      await expect(bob.api.messages.ask(going)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      const edited = asking({ kind: 'edit', messageId, text: 'Taken' }, { conversationId });
      await expect(bob.api.messages.ask(edited)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  it('lists, the bin, drafts and searching show only his own', async () => {
    expect((await bob.api.convos.bin({})).deletions.map((one) => one.deletionId)).not.toContain(hers.deletionId);
    expect(await bob.api.convos.pinned()).toEqual([]);
    expect((await bob.api.convos.list({ archived: true })).convos).toEqual([]);
    expect(await bob.api.drafts.list()).toEqual([]);
    await bob.api.drafts.save({
      key: hers.place.conversationId,
      text: 'His',
      editedAt: new Date().toISOString(),
      basedOn: 0,
    });
    expect((await alice.api.drafts.list()).map(({ text }) => text)).toEqual(['Hers, unsent', 'Hers, of a new chat']);
  });

  it('are his to use: they are other rows', async () => {
    const his = await exchange(
      rooms,
      bob.id,
      question('Mine', {
        ...hers.place,
        target: { kind: 'send', messageId: hers.questionId, parentMessageId: null, text: 'Mine' },
      }),
    );
    const before = await snapshot();
    await bob.api.messages.edit({ ...hers.place, messageId: hers.questionId, text: 'Changed' });
    await bob.api.messages.prune({ ...hers.place, messageId: hers.questionId });
    await bob.api.convos.remove({ conversationId: his.convo.conversationId });
    expect(await snapshot()).toEqual(before);
  });
});

async function createHers() {
  const first = await exchange(rooms, alice.id, question('For my eyes only', { model: 'fake:length' }));
  const place = { conversationId: first.convo.conversationId };
  await alice.api.convos.update({ ...place, isPinned: true });
  const second = await exchange(rooms, alice.id, question('Deleted'));
  const { deletionId } = await alice.api.convos.remove({ conversationId: second.convo.conversationId });
  const third = await exchange(rooms, alice.id, question('Archived'));
  await alice.api.convos.update({ conversationId: third.convo.conversationId, isArchived: true });
  const draft = { editedAt: new Date().toISOString(), basedOn: 0 };
  await alice.api.drafts.save({ ...draft, key: place.conversationId, text: 'Hers, unsent' });
  await alice.api.drafts.save({ ...draft, key: NEW_CHAT, text: 'Hers, of a new chat' });
  const input = question('Running', { model: 'fake:silent' });
  await alice.api.messages.ask(input);
  return {
    place,
    message: { ...place, messageId: first.reply.messageId },
    questionId: first.request.messageId,
    deletionId: deletionId ?? '',
    running: input.generationId,
  };
}

function asking(target: Parameters<Person['api']['messages']['ask']>[0]['target'], over: object = {}) {
  return question('', { ...hers.place, target, ...over });
}

/** All that is hers, as the database has it. */
async function snapshot() {
  const plain = rooms.deps.db.sql;
  return {
    convos: await plain`select * from convos where user_id = ${alice.id} order by id`,
    messages: await plain`select * from messages where user_id = ${alice.id} order by seq`,
    drafts: await plain`select * from drafts where user_id = ${alice.id} order by key`,
    deletions: await plain`select * from deletions where user_id = ${alice.id} order by id`,
    running: await plain`select id, stop_requested, ended_at from generations where user_id = ${alice.id} order by id`,
  };
}
