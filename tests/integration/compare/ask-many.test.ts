// One question to several models: each answers below it by a run of its own, and sees its own branch alone.
import { randomUUID } from 'node:crypto';
import { convos } from '@parley/db/tables/convos';
import { generations } from '@parley/db/tables/generations';
import type { AskManyInput } from '@parley/schema/chat/ask-many';
import type { FinalEvent } from '@parley/schema/generation/events';
import { messageText, type Message } from '@parley/schema/messages/messages';
import { addCredits } from '@parley/server/billing/balances';
import type { Ask } from '@parley/server/chat/begin/ask';
import { writeAsks } from '@parley/server/chat/begin/write-asks';
import { finalizeRun } from '@parley/server/chat/finalize';
import { recoverExpiredRuns } from '@parley/server/chat/recovery';
import { sendDueQuestions } from '@parley/server/queue/send-due';
import { eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectBooksToAgree } from '../../support/credits.ts';
import { answerRequests, isAskedAbout, question, readAll, untilText } from '../../support/exchange.ts';
import { isFullRun } from '../../support/extent.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let alice: Person;

beforeAll(async () => {
  services = await openTestServices({
    STREAM_IDLE_TIMEOUT: '1500',
    OPENAI_MODELS: [...models(4), 'fake:slow:40', 'fake:error-500', 'fake:stall:20', 'fake:never-ending'].join(),
    ANTHROPIC_API_KEY: 'user_provided',
    ANTHROPIC_MODELS: 'claude-sonnet-5,claude-haiku-4-5',
  });
  alice = await services.as('alice');
});
afterAll(() => services.close());

describe('a question to several models', () => {
  it('is answered by each for itself: one that is fast, one slow, one that fails and one that falls silent', async () => {
    const input = asking('Who is there?', ['fake:plain', 'fake:slow:40', 'fake:error-500', 'fake:stall:20']);
    const columns = await alice.api.messages.askMany(input);
    expect(columns[0]?.convo).toMatchObject({ columns: columnsOf(input) });
    expect(new Set(columns.map(({ request }) => request.messageId)).size).toBe(1);
    const ends = await endsOf(alice, input);
    const replies = ends.map(({ reply }) => reply);
    expect(replies.map(({ reason }) => reason?.type ?? null)).toEqual([
      null,
      null,
      'provider_unavailable',
      'provider_stalled',
    ]);
    expect(replies.map(({ parentMessageId }) => parentMessageId)).toEqual(Array(4).fill(columns[0]?.request.messageId));
    expect(messageText(at(replies, 3)).length).toBeGreaterThan(20);
    expect(await marksOf(input)).toEqual({ running: null, runsLeft: 0 });
    // A column that failed is asked again alone, here of another model, and takes its place.
    const again = question('', {
      conversationId: input.conversationId,
      model: 'fake:echo',
      column: 2,
      keepsModel: true,
      target: { kind: 'regenerate', parentMessageId: columns[0]?.request.messageId ?? '' },
    });
    await alice.api.messages.ask(again);
    const [final] = await endsOf(alice, { asks: [again] });
    const { replyId } = again;
    const other = { endpoint: 'openAI', model: 'fake:echo', settings: {}, replyId };
    expect(final?.convo).toMatchObject({ model: 'fake:plain', columns: columnsOf(input).with(2, other) });
  });

  it('has its first result when the same ids come again, and one title', async () => {
    const input = asking('Only once for each?', ['fake:plain', 'fake:echo', 'claude-sonnet-5']);
    Object.assign(at(input.asks, 2), { endpoint: 'anthropic' });
    const [one, two] = await Promise.all([alice.api.messages.askMany(input), alice.api.messages.askMany(input)]);
    await endsOf(alice, { asks: input.asks.slice(0, 2) });
    const three = await alice.api.messages.askMany(input);
    const idsOf = (columns: typeof one) => columns.map(({ request, reply }) => [request.messageId, reply.messageId]);
    expect([idsOf(two), idsOf(three)]).toEqual([idsOf(one), idsOf(one)]);
    expect(answerRequests(services.provider).filter(isAskedAbout('Only once for each?'))).toHaveLength(2);
    // The one without a key has failed at once; nobody waits for it.
    expect(one[2]?.reply).toMatchObject({ unfinished: false, reason: { type: 'no_user_key' } });
    expect(await marksOf(input)).toEqual({ running: null, runsLeft: 0 });
    await expect.poll(() => titlesFor('Only once for each?')).toBe(1);
  });

  it('is refused where every model is, and nothing is stored', async () => {
    const input = asking('Nobody', ['claude-sonnet-5', 'claude-haiku-4-5'], 'anthropic');
    await expect(alice.api.messages.askMany(input)).rejects.toThrow();
    await expect(alice.api.convos.byId(input)).rejects.toThrow();
  });

  it('is refused whole where its id is taken, and nothing is stored', async () => {
    const taken = asking('Whose is it?', models(2));
    await alice.api.messages.askMany(taken);
    await endsOf(alice, taken);
    const input = asking('Another one', models(2));
    const asks = input.asks.map((ask, place) => ({ ...ask, target: at(taken.asks, place).target }));
    await expect(alice.api.messages.askMany({ ...input, asks })).rejects.toThrow('conflict');
    await expect(alice.api.convos.byId(input)).rejects.toThrow();
    const runs = eq(generations.convoId, input.conversationId);
    expect(await services.deps.db.query.select().from(generations).where(runs)).toEqual([]);
  });

  it('is refused while anything runs there, and refuses a question meanwhile', async () => {
    const input = asking('Still running', ['fake:never-ending', 'fake:never-ending']);
    await alice.api.messages.askMany(input);
    const { conversationId } = input;
    await expect(alice.api.messages.ask(question('Me too', { conversationId }))).rejects.toThrow();
    await expect(
      alice.api.messages.askMany({ ...asking('We too', ['fake:plain', 'fake:plain']), conversationId }),
    ).rejects.toThrow();
    // Stopping one leaves the other.
    await untilText(services, alice.id, at(input.asks, 1).generationId);
    await alice.api.messages.abort({ generationId: at(input.asks, 1).generationId });
    expect(await marksOf(input)).toEqual({ running: input.asks[0]?.generationId, runsLeft: 1 });
    expect((await alice.api.messages.open({ conversationId })).runningReplies).toEqual([input.asks[0]?.replyId]);
    // Deleting the conversation stops the rest.
    await alice.api.convos.remove({ conversationId });
    await endsOf(alice, input, true);
    await expect.poll(() => marksOf(input)).toEqual({ running: null, runsLeft: 0 });
  });

  it('waits in the queue for all of them, and follows the answer of each', async () => {
    const input = asking('First to both', ['fake:plain', 'fake:echo']);
    await alice.api.messages.askMany(input);
    const id = randomUUID();
    await alice.api.queue.add({ id, conversationId: input.conversationId, text: 'Then this' });
    await endsOf(alice, input);
    await sendDueQuestions({ db: services.deps.db, askService: services.deps.askService, graceMs: 0 });
    await expect.poll(() => marksOf(input)).toEqual({ running: null, runsLeft: 0 });
    const thread = await alice.api.messages.list({ conversationId: input.conversationId });
    const asked = thread.filter((message) => messageText(message) === 'Then this' && message.isCreatedByUser);
    expect(asked.map(({ parentMessageId }) => parentMessageId)).toEqual(input.asks.map(({ replyId }) => replyId));
    expect(await alice.api.queue.list()).toEqual([]);
  });

  it('waits in the queue for the one of them that it names', async () => {
    const input = asking('First to both of you', ['fake:plain', 'fake:echo']);
    const { conversationId } = input;
    await alice.api.messages.askMany(input);
    const own = { endpoint: 'openAI', model: 'fake:plain', settings: {} };
    const target = { endpoint: 'openAI', model: 'fake:echo', settings: {}, keeps: own, name: 'fake:echo' };
    await alice.api.queue.add({ id: randomUUID(), conversationId, text: 'Then you alone', target });
    await endsOf(alice, input);
    await sendDueQuestions({ db: services.deps.db, askService: services.deps.askService, graceMs: 0 });
    await expect.poll(() => marksOf(input)).toEqual({ running: null, runsLeft: 0 });
    const thread = await alice.api.messages.list({ conversationId });
    const asked = thread.filter((message) => messageText(message) === 'Then you alone' && message.isCreatedByUser);
    expect(asked.map(({ parentMessageId }) => parentMessageId)).toEqual([input.asks[1]?.replyId]);
    const { columns } = await alice.api.convos.byId({ conversationId });
    const newest = thread.find(({ parentMessageId }) => parentMessageId === asked[0]?.messageId);
    expect(columns?.map(({ replyId }) => replyId)).toEqual([input.asks[0]?.replyId, newest?.messageId]);
    expect(await alice.api.queue.list()).toEqual([]);
  });

  it('shows each model its own branch, whatever was asked of whom before', async () => {
    const turn = fc.record({ columns: fc.integer({ min: 2, max: 4 }), goesOnWith: fc.option(fc.nat({ max: 3 })) });
    const seesItsOwn = fc.asyncProperty(fc.array(turn, { minLength: 6, maxLength: 6 }), async (turns) => {
      let leaves: { id: string; branch: string[] }[] = [{ id: '', branch: [] }];
      const conversationId = randomUUID();
      for (const { columns, goesOnWith } of turns) {
        const text = `Turn ${randomUUID()}`;
        const asks =
          leaves.length > 1 ? below(leaves, text) : asking(text, models(columns), 'openAI', leaves[0]?.id || null).asks;
        const input = { conversationId, asks };
        await alice.api.messages.askMany(input);
        const ends = await endsOf(alice, input);
        const requests = answerRequests(services.provider).filter(isAskedAbout(text));
        leaves = ends.map(({ reply }, place) => {
          const before = (leaves.length > 1 ? leaves[place] : leaves[0])?.branch ?? [];
          const sent = [...before, text];
          expect(requests.map(textsOf)).toContainEqual(sent);
          return { id: reply.messageId, branch: [...sent, messageText(reply)] };
        });
        if (goesOnWith === null) continue;
        const chosen = at(leaves, goesOnWith % leaves.length);
        await alice.api.compare.goOn({ conversationId, replyId: chosen.id });
        leaves = [chosen];
      }
    });
    await fc.assert(seesItsOwn, { numRuns: isFullRun ? 20 : 2, endOnFailure: true });
  });
});

describe('replies side by side', () => {
  it('all end, however many end at the same moment', async () => {
    const { db } = services.deps;
    for (let round = 0; round < (isFullRun ? 1000 : 200); round++) {
      const { input, owner, replies } = await leaveRunning(2);
      await Promise.all(
        input.asks.map(({ generationId }, place) => {
          const key = { generationId, userId: alice.id, owner, epoch: 1 };
          const reply = { ...at(replies, place), unfinished: false, finishReason: 'stop' as const };
          return finalizeRun(db, key, reply, { input: 1, output: 1, estimated: true }, { isFree: true });
        }),
      );
      expect(await marksOf(input)).toEqual({ running: null, runsLeft: 0 });
    }
  });

  it('are settled when their process dies', async () => {
    const { input } = await leaveRunning(4);
    await services.deps.db.query
      .update(generations)
      .set({ leaseUntil: sql`now() - interval '1 second'` })
      .where(eq(generations.groupId, at(input.asks, 0).generationId));
    await Promise.all([1, 2].map(() => recoverExpiredRuns(services.deps.db, randomUUID())));
    await expect.poll(() => marksOf(input)).toEqual({ running: null, runsLeft: 0 });
    const thread = await alice.api.messages.list({ conversationId: input.conversationId });
    const reasons = thread.filter(({ isCreatedByUser }) => !isCreatedByUser).map(({ reason }) => reason?.type);
    expect(reasons).toEqual(Array(4).fill('interrupted'));
  });
});

describe('the credits of a question to several models', () => {
  it('are divided among the columns; one whose prompt they do not cover fails alone', async () => {
    const paid = await openTestServices({ CHECK_BALANCE: 'true', TITLE_CONVO: 'false' });
    try {
      const bob = await paid.as('bob');
      await addCredits(paid.deps.db, bob.id, 60);
      const input = asking('Who is paid?', ['fake:plain', 'fake:echo']);
      const columns = await bob.api.messages.askMany(input);
      expect(columns.map(({ reply }) => reply.reason?.type ?? null)).toEqual([null, 'credits_reserved']);
      await expectBooksToAgree(paid.deps.db, bob.id);
      await readAll(paid, bob.id, at(input.asks, 0).generationId);
      await expectBooksToAgree(paid.deps.db, bob.id);
      await addCredits(paid.deps.db, bob.id, 10_000_000);
      const both = asking('And now?', ['fake:plain', 'fake:echo']);
      await bob.api.messages.askMany(both);
      await Promise.all(both.asks.map(({ generationId }) => readAll(paid, bob.id, generationId)));
      await expectBooksToAgree(paid.deps.db, bob.id);
    } finally {
      await paid.close();
    }
  });

  it('count as many messages and as many runs', async () => {
    const limited = await openTestServices({ LIMIT_CONCURRENT_MESSAGES: 'true', CONCURRENT_MESSAGE_MAX: '2' });
    try {
      const { api } = await limited.as('carol');
      await expect(api.messages.askMany(asking('Three?', models(3)))).rejects.toThrow();
      await api.messages.askMany(asking('Two?', models(2)));
    } finally {
      await limited.close();
    }
  });
});

function at<T>(list: readonly T[], place: number): T {
  const one = list[place];
  if (!one) throw new Error(`There is nothing at ${place}`);
  return one;
}

function models(count: number): string[] {
  return ['fake:plain', 'fake:echo', 'fake:usage', 'fake:no-usage'].slice(0, count);
}

function asking(
  text: string,
  asked: string[],
  endpoint = 'openAI',
  parentMessageId: string | null = null,
): AskManyInput {
  const target = { kind: 'send', messageId: randomUUID(), parentMessageId, text } as const;
  const asks = asked.map((model) => ({ ...newIds(), endpoint, model, settings: {}, target }));
  return { conversationId: randomUUID(), asks };
}

function below(leaves: readonly { id: string }[], text: string): AskManyInput['asks'] {
  return leaves.map(({ id: parentMessageId }, place) => ({
    ...newIds(),
    endpoint: 'openAI',
    model: models(4)[place],
    settings: {},
    target: { kind: 'send', messageId: randomUUID(), parentMessageId, text },
  }));
}

function newIds() {
  return { generationId: randomUUID(), replyId: randomUUID() };
}

function columnsOf({ asks }: AskManyInput) {
  return asks.map(({ endpoint, model = null, settings, replyId }) => ({ endpoint, model, settings, replyId }));
}

async function endsOf(person: Person, { asks }: Pick<AskManyInput, 'asks'>, areEnded = false): Promise<FinalEvent[]> {
  return Promise.all(
    asks.map(async ({ generationId }) => {
      const entries = await readAll(services, person.id, generationId).catch(() => []);
      const last = entries.at(-1)?.event;
      if (last?.type !== 'final' && !areEnded) throw new Error(`A column ended with ${last?.type ?? 'nothing'}`);
      return last as FinalEvent;
    }),
  );
}

async function marksOf({ conversationId }: Pick<AskManyInput, 'conversationId'>) {
  const [row] = await services.deps.db.query
    .select({ running: convos.running, runsLeft: convos.runsLeft })
    .from(convos)
    .where(eq(convos.id, conversationId));
  return row;
}

/** Columns as a process leaves them that was killed while all of them ran. */
async function leaveRunning(count: number): Promise<{ input: AskManyInput; owner: string; replies: Message[] }> {
  const owner = randomUUID();
  const input = asking('Left behind', models(count));
  const endpoint = services.deps.endpoints.assert('openAI');
  const { conversationId } = input;
  const ordinary = { metadata: {}, kept: null, assistant: null, callsUnasked: false, picture: null, settings: {} };
  const asks = input.asks.map((ask): Ask => ({
    userId: alice.id,
    owner,
    input: { ...ask, conversationId },
    endpoint,
    model: ask.model ?? '',
    ...ordinary,
  }));
  const columns = asks.map((ask) => ({ ask, refusal: null }));
  const results = await writeAsks(services.deps.db, alice.id, columns, null);
  return { input, owner, replies: results.map(({ created }) => created.reply) };
}

function titlesFor(text: string): number {
  return services.provider.requests.filter(
    ({ body }) => JSON.stringify(body).includes('Write a title') && JSON.stringify(body).includes(text),
  ).length;
}

function textsOf({ body }: { body: unknown }): string[] {
  const { messages } = body as { messages: { role: string; content: string }[] };
  return messages.filter(({ role }) => role !== 'system').map(({ content }) => content);
}
