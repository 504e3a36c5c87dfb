import { randomUUID } from 'node:crypto';
import { messages } from '@parley/db/tables/messages';
import type { AskInput } from '@parley/schema/chat/ask';
import { messageText, type Message } from '@parley/schema/messages/messages';
import type { RecordedRequest } from '@parley/scripts/fake-provider';
import { textSteps, scriptedStream, type Script } from '@parley/scripts/fake-provider/scenario';
import { countTokens } from '@parley/server/catalog/count-tokens';
import { contextLimitsOf } from '@parley/server/chat/context/context-limits';
import { assertFits, planHistory } from '@parley/server/chat/context/history';
import { branchAbove } from '@parley/server/chat/context/recent-branches';
import { createSummaries } from '@parley/server/chat/context/summaries';
import { createServices } from '@parley/server/services';
import type { Billing, SideCall } from '@parley/server/billing/billing';
import { and, eq, isNotNull } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exchange, followUp, readAll } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { insertThread } from './long-thread.ts';

/** A window of 4,092 tokens: 3,068 of them for what is sent, 1,534 for the newest messages beside a summary. */
const SMALL = 'gpt-3.5-turbo-0301';
const SUMMARY_MODEL = 'fake:summary';
const HALF = 1534;
const FRAME = 4;

let services: TestServices;
let alice: Person;
/** What the summary model does next. */
let play: () => Script;
let written: number;

beforeAll(async () => {
  services = await openTestServices({
    OPENAI_MODELS: `${SMALL},gpt-4-turbo-preview,fake:echo`,
    OPENAI_SUMMARIZE: 'true',
    OPENAI_SUMMARY_MODEL: SUMMARY_MODEL,
  });
  services.provider.script('summary', { about: 'sums up', script: () => play() });
  alice = await services.as('alice');
});
beforeEach(() => {
  written = 0;
  play = () => scriptedStream(textSteps(`Summary number ${++written} about bridges.`));
  services.provider.clear();
});
afterAll(() => services.close());

describe('a conversation that does not fit', () => {
  it('is sent as its newest half window after a summary of the rest', async () => {
    const thread = await longThread(24);
    const { reply } = await exchange(services, alice.id, ask('What now?', thread));
    const [sent] = answersAsked();
    const [first, ...rest] = messagesOf(sent);
    expect(first).toEqual({ role: 'system', content: summaryMessage(1) });
    const { context } = reply;
    expect(context).toMatchObject({ included: rest.length, omitted: 25 - rest.length });
    expect(rest[0]?.content).toContain(`Message ${context?.omitted}.`);
    const prices = await Promise.all(rest.map(async ({ content }) => FRAME + (await countTokens(content))));
    const spent = prices.reduce((sum, price) => sum + price, 0);
    expect(spent).toBeLessThanOrEqual(HALF);
    expect(spent).toBeGreaterThan(HALF - 130);
    const tokens = FRAME + (await countTokens(summaryMessage(1)));
    expect(context).toMatchObject({ tokens: spent + tokens, summary: { messages: context?.omitted, tokens } });
    expect(context).not.toHaveProperty('summaryFailed');
  });

  it('is summarized once: the next questions reuse the summary', async () => {
    const thread = await longThread(24);
    const first = await exchange(services, alice.id, ask('What now?', thread));
    const second = await exchange(services, alice.id, followUp('And then?', first, { model: SMALL }));
    expect(summariesAsked()).toHaveLength(1);
    const sent = messagesOf(answersAsked().at(-1));
    expect(sent[0]).toEqual({ role: 'system', content: summaryMessage(1) });
    const { included = 0, omitted = 0 } = first.reply.context ?? {};
    expect(second.reply.context).toMatchObject({ included: included + 2, omitted });
    expect(second.reply.context?.summary).toEqual(first.reply.context?.summary);
  });

  it('is summarized again when the next half window is full, from the summary and the messages omitted since', async () => {
    const thread = await longThread(24);
    let last = await exchange(services, alice.id, ask('Question 1', thread));
    const before = last.reply.context?.omitted ?? 0;
    for (let n = 2; summariesAsked().length < 2; n++) {
      expect(n).toBeLessThan(12);
      last = await exchange(
        services,
        alice.id,
        followUp(`Question ${n}. ${'word '.repeat(180)}`, last, { model: SMALL }),
      );
    }
    const prompt = promptOf(summariesAsked()[1]);
    expect(prompt).toContain('Summary of what came before:\nSummary number 1 about bridges.');
    expect(prompt).not.toContain(`Message ${before - 1}.`);
    expect(prompt).toContain(`Message ${before}.`);
    const { context } = last.reply;
    expect(prompt).not.toContain(messageText(last.request));
    expect(messagesOf(answersAsked().at(-1))[0]).toEqual({ role: 'system', content: summaryMessage(2) });
    expect(context?.omitted).toBeGreaterThan(before);
    expect(await storedSummaries(thread.convo.conversationId)).toHaveLength(2);
  });

  it('is not summarized again for another branch below the covered messages', async () => {
    const thread = await longThread();
    const first = await exchange(services, alice.id, ask('What now?', thread));
    const again = { kind: 'regenerate', parentMessageId: first.request.messageId } as const;
    const input = { ...followUp('', first, { model: SMALL }), target: again };
    const second = await exchange(services, alice.id, input);
    expect(second.reply.context).toEqual(first.reply.context);
    const other = thread.all.at(-3);
    if (!other) throw new Error('There is no such message');
    const branch = await exchange(services, alice.id, ask('Or else?', { ...thread, reply: other }));
    expect(branch.reply.context?.summary).toEqual(first.reply.context?.summary);
    expect(summariesAsked()).toHaveLength(1);
  });

  it('is sent whole where it fits: above the covered messages, and to a larger model', async () => {
    const thread = await longThread();
    const first = await exchange(services, alice.id, ask('What now?', thread));
    const [, early] = thread.all;
    if (!early) throw new Error('There is no such message');
    const branch = await exchange(services, alice.id, ask('Let us begin again', { ...thread, reply: early }));
    expect(branch.reply.context).toMatchObject({ included: 3, omitted: 0 });
    expect(branch.reply.context).not.toHaveProperty('summary');
    const large = await exchange(services, alice.id, followUp('And you?', first, { model: 'gpt-4-turbo-preview' }));
    expect(large.reply.context).toMatchObject({ included: 33, omitted: 0 });
    expect(large.reply.context).not.toHaveProperty('summary');
  });

  it('keeps its summary when it is forked', async () => {
    const thread = await longThread();
    const { convo, reply } = await exchange(services, alice.id, ask('What now?', thread));
    const ref = { conversationId: convo.conversationId, messageId: reply.messageId };
    const fork = await alice.api.convos.fork({ ...ref, forkId: randomUUID() });
    const copies = await alice.api.messages.list({ conversationId: fork.conversationId });
    const last = copies.at(-1);
    if (!last) throw new Error('The fork is empty');
    const next = await exchange(services, alice.id, followUp('Here?', { convo: fork, reply: last }, { model: SMALL }));
    expect(next.reply.context?.summary).toEqual(reply.context?.summary);
    expect(summariesAsked()).toHaveLength(1);
  });

  it('says how many older messages its summary leaves out', async () => {
    const thread = await longThread(400);
    const { reply } = await exchange(services, alice.id, ask('What now?', thread));
    const { omitted = 0, summary } = reply.context ?? {};
    const { messages: covered = 0 } = summary ?? {};
    expect(covered).toBeGreaterThan(5);
    expect(covered).toBeLessThan(40);
    const missing = `(${omitted - covered} older messages are not part of this.)`;
    expect(messagesOf(answersAsked()[0])[0]?.content).toContain(missing);
    expect(promptOf(summariesAsked()[0])).toContain(`Message ${omitted - covered}.`);
    expect(promptOf(summariesAsked()[0])).not.toContain(`Message ${omitted - covered - 1}.`);
    const next = await exchange(services, alice.id, followUp('And then?', { ...thread, reply }, { model: SMALL }));
    expect(next.reply.context?.summary).toEqual(summary);
  });

  it('is announced by the budget', async () => {
    const thread = await longThread();
    const input = ask('What now?', thread);
    const budget = () => alice.api.messages.budget(budgetInput(input));
    const due = await budget();
    expect(due.summary).toEqual({ messages: due.omitted, tokens: null });
    const { context } = (await exchange(services, alice.id, input)).reply;
    expect(context).toMatchObject({ included: due.included, omitted: due.omitted });
    expect(context?.tokens).toBe(due.history + due.question + (context?.summary?.tokens ?? 0));
    expect(await budget()).toMatchObject({ ...due, summary: context?.summary });
  });
});

describe('a summary that fails', () => {
  const failures: [string, () => Script][] = [
    ['is refused', () => ({ kind: 'refusal', status: 500, type: 'x', code: null, message: 'No.', headers: {} })],
    ['is empty', () => scriptedStream([])],
    ['breaks off', () => scriptedStream([...textSteps('Summary'), { type: 'cut' }])],
    [
      'is too long for the room there is',
      () => scriptedStream(textSteps('word '.repeat(2500)), { pace: { every: 0, count: 1 } }),
    ],
  ];

  it.each(failures)('because it %s leaves the omitted messages out and is recorded', async (_, failure) => {
    play = failure;
    const thread = await longThread();
    const { reply } = await exchange(services, alice.id, ask('What now?', thread));
    expect(reply.reason).toBeNull();
    const { context } = reply;
    expect(context).toMatchObject({ summaryFailed: true });
    expect(context).not.toHaveProperty('summary');
    const sent = messagesOf(answersAsked()[0]);
    expect(sent.map(({ role }) => role)).not.toContain('system');
    expect(sent).toHaveLength(context?.included ?? 0);
    expect(context?.tokens).toBeGreaterThan(HALF);
    expect(await storedSummaries(thread.convo.conversationId)).toEqual([]);
  });

  it('is waited for within a time limit', async () => {
    play = () => ({ kind: 'silence' });
    const { config, secrets, db, log } = services.deps;
    const timings = { summaryTimeoutMs: 3000 };
    const impatient = await createServices({ config, secrets, db, log, demo: null, timings });
    const thread = await longThread();
    const { reply } = await exchange({ ...services, deps: impatient.deps }, alice.id, ask('What now?', thread));
    expect(reply).toMatchObject({ reason: null, context: { summaryFailed: true } });
    expect(summariesAsked()).toHaveLength(1);
    await impatient.close();
  });

  it('is not retried at once', async () => {
    play = () => ({ kind: 'refusal', status: 500, type: 'x', code: null, message: 'No.', headers: {} });
    const thread = await longThread();
    const first = await exchange(services, alice.id, ask('What now?', thread));
    const second = await exchange(services, alice.id, followUp('And then?', first, { model: SMALL }));
    expect(summariesAsked()).toHaveLength(1);
    expect(second.reply).toMatchObject({ reason: null, context: { summaryFailed: true } });
  });

  it('of one person leaves that of another alone, whose conversation may have the same id', async () => {
    const bob = await services.as('bob');
    const conversationId = randomUUID();
    play = () => ({ kind: 'refusal', status: 500, type: 'x', code: null, message: 'No.', headers: {} });
    await exchange(services, alice.id, ask('What now?', await longThread(30, alice, conversationId)));
    play = () => scriptedStream(textSteps('Summary of bridges.'));
    const { reply } = await exchange(services, bob.id, ask('What now?', await longThread(30, bob, conversationId)));
    expect(reply.context).toMatchObject({ summary: {} });
  });
});

it('the budget of one person is never that of another, whose messages may have the same ids', async () => {
  const bob = await services.as('bob');
  const { ids, ...hers } = await longThread(2);
  const { conversationId } = hers.convo;
  const thread = { count: 2, model: SMALL, textAt: () => 'Short.', conversationId, ids };
  const his = await insertThread(services.deps.db, bob, thread);
  const budgetOf = ({ api }: Person, { convo, reply }: Pick<Thread, 'convo' | 'reply'>) =>
    api.messages.budget(budgetInput(ask('What now?', { convo, reply })));
  const first = await budgetOf(alice, hers);
  expect((await budgetOf(bob, his)).history).toBeLessThan(first.history);
  expect(await budgetOf(alice, hers)).toEqual(first);
});

describe('a stop while a summary is made', () => {
  it('ends it at once, without another call', async () => {
    play = () => ({ kind: 'silence' });
    const thread = await longThread();
    const input = ask('What now?', thread);
    await services.deps.askService.ask(alice.id, input);
    const asked = await services.provider.waitForRequest(isForSummary);
    const final = await alice.api.messages.abort({ generationId: input.generationId });
    expect(final?.reply).toMatchObject({ finishReason: 'incomplete', reason: null, parts: [], context: null });
    await expect.poll(() => asked.closedEarly).toBe(true);
    expect(answersAsked()).toEqual([]);
    expect((await readAll(services, alice.id, input.generationId)).at(-1)?.event.type).toBe('final');
  });
});

describe('a summary is deleted', () => {
  it('when a message that it covers is changed', async () => {
    const { thread, first } = await summedUp();
    const ref = { conversationId: thread.convo.conversationId, messageId: thread.ids[3] ?? '' };
    await alice.api.messages.edit({ ...ref, text: 'Message 3. It was a ferry all along.' });
    await exchange(services, alice.id, followUp('And then?', first, { model: SMALL }));
    expect(summariesAsked()).toHaveLength(2);
    expect(promptOf(summariesAsked()[1])).not.toContain('Summary number 1');
  });

  it('when a covered message is deleted or restored', async () => {
    const { thread, first } = await summedUp();
    const conversationId = thread.convo.conversationId;
    const { deletionId } = await alice.api.messages.remove({ conversationId, messageId: thread.ids[3] ?? '' });
    const second = await exchange(services, alice.id, followUp('And then?', first, { model: SMALL }));
    expect(summariesAsked()).toHaveLength(2);
    await alice.api.convos.restore({ deletionId });
    await exchange(services, alice.id, followUp('And after that?', second, { model: SMALL }));
    expect(summariesAsked()).toHaveLength(3);
  });

  it('but not when a message below changes', async () => {
    const { thread, first } = await summedUp();
    const conversationId = thread.convo.conversationId;
    await alice.api.messages.edit({ conversationId, messageId: thread.ids.at(-1) ?? '', text: 'Short.' });
    await exchange(services, alice.id, followUp('And then?', first, { model: SMALL }));
    expect(summariesAsked()).toHaveLength(1);
  });

  it('before it is stored, when the conversation changes meanwhile', async () => {
    const thread = await longThread();
    const conversationId = thread.convo.conversationId;
    let begun = () => {};
    const isBegun = new Promise<void>((resolve) => (begun = resolve));
    play = () => {
      begun();
      return scriptedStream([{ type: 'wait', ms: 1500 }, ...textSteps('Summary of what was.')]);
    };
    const input = ask('What now?', thread);
    await services.deps.askService.ask(alice.id, input);
    await isBegun;
    await alice.api.messages.edit({ conversationId, messageId: thread.ids[3] ?? '', text: 'Message 3. A ferry.' });
    const last = (await readAll(services, alice.id, input.generationId)).at(-1)?.event;
    expect(last).toMatchObject({ type: 'final', reply: { reason: null, context: { summary: {} } } });
    expect(await storedSummaries(conversationId)).toEqual([]);
  });
});

describe('the usage of a summary', () => {
  it.each([
    ['as it was told', 'asked', { input: expect.any(Number), output: expect.any(Number) }],
    ['as we count it where nothing was told', 'never', { input: expect.any(Number), output: 5, estimated: true }],
  ] as const)('is passed on %s', async (_, told, used) => {
    play = () => scriptedStream(textSteps('Summary of bridges.'), { usage: told });
    const calls: SideCall[] = [];
    const { db, endpoints } = services.deps;
    const charge: Billing['charge'] = (call, count) => {
      calls.push(call);
      const { userId, convoId, context: kind, endpoint: name, model: by } = call;
      const none = { usage: { input: 0, output: 0 }, credits: 0 };
      return count(db.query, { userId, convoId, kind, endpoint: name, model: by, ...none });
    };
    const billing = { canPay: async () => true, charge };
    const summaries = createSummaries({ db, log: pino({ level: 'silent' }), timeoutMs: 10_000, billing });
    const thread = await longThread();
    const endpoint = endpoints.assert('openAI');
    const limits = contextLimitsOf(endpoint, SMALL, {}, {});
    const above = branchAbove(db.query, alice.id, thread.reply.parentMessageId ?? '');
    const plan = assertFits(await planHistory(above, thread.reply, limits), limits.window);
    const about = { userId: alice.id, convo: thread.convo, endpoint, model: SMALL };
    if (!plan.due) throw new Error('No summary is due');
    const { context } = await summaries.complete(plan.history, plan.due, about, AbortSignal.timeout(10_000));
    expect(context.summary).toBeDefined();
    expect(calls).toEqual([
      {
        userId: alice.id,
        convoId: thread.convo.conversationId,
        endpoint: 'openAI',
        endpointType: 'openAI',
        context: 'summary',
        model: SUMMARY_MODEL,
        used,
      },
    ]);
  });
});

type Thread = Awaited<ReturnType<typeof longThread>>;

function longThread(count = 30, person = alice, conversationId: string = randomUUID()) {
  const textAt = (n: number) => `Message ${n}. ${'word '.repeat(120)}`;
  return insertThread(services.deps.db, person, { count, model: SMALL, textAt, conversationId });
}

/** A conversation of which a summary is kept. */
async function summedUp() {
  const thread = await longThread();
  const first = await exchange(services, alice.id, ask('What now?', thread));
  expect(await storedSummaries(thread.convo.conversationId)).toHaveLength(1);
  return { thread, first };
}

function ask(text: string, { convo, reply }: Pick<Thread, 'convo'> & { reply: Message }): AskInput {
  return followUp(text, { convo, reply }, { model: SMALL });
}

function budgetInput({ conversationId, endpoint, model, settings, target }: AskInput) {
  if (target.kind !== 'send') throw new Error('Only a question has a budget');
  const { parentMessageId, text } = target;
  return { conversationId, parentMessageId, endpoint, model, settings, text };
}

function summaryMessage(number: number): string {
  return `What was said before, in short:\nSummary number ${number} about bridges.`;
}

function isForSummary({ body }: RecordedRequest): boolean {
  return (body as { model?: string } | undefined)?.model === SUMMARY_MODEL;
}

function summariesAsked(): RecordedRequest[] {
  return services.provider.requests.filter(isForSummary);
}

function answersAsked(): RecordedRequest[] {
  const models = [SMALL, 'gpt-4-turbo-preview'];
  return services.provider.requests.filter(
    ({ body }) =>
      models.includes((body as { model?: string }).model ?? '') && !JSON.stringify(body).includes('Write a title'),
  );
}

function messagesOf(request: RecordedRequest | undefined): { role: string; content: string }[] {
  return (request?.body as { messages: { role: string; content: string }[] } | undefined)?.messages ?? [];
}

function promptOf(request: RecordedRequest | undefined): string {
  return messagesOf(request)[0]?.content ?? '';
}

async function storedSummaries(conversationId: string): Promise<(string | null)[]> {
  const rows = await services.deps.db.query
    .select({ summary: messages.summary })
    .from(messages)
    .where(and(eq(messages.userId, alice.id), eq(messages.convoId, conversationId), isNotNull(messages.summary)));
  return rows.map(({ summary }) => summary);
}
