// What an answer costs its user: set aside when it begins, paid when it ends, however it ends.
import { randomUUID } from 'node:crypto';
import { generationEvents, generations } from '@parley/db/tables/generations';
import { transactions } from '@parley/db/tables/balances';
import type { AskInput } from '@parley/schema/chat/ask';
import { messageText } from '@parley/schema/messages/messages';
import { costInCredits, creditsFor, INCOMPLETE_FACTOR, ratesOfCall } from '@parley/schema/catalog/rates';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { scriptedStream } from '@parley/scripts/fake-provider/scenario';
import { recoverExpiredRuns } from '@parley/server/chat/recovery';
import { addCredits } from '@parley/server/billing/balances';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textsOf } from '../../contracts/generation-events.ts';
import { exchange, followUp, isAskedAbout, question, readAll } from '../../support/exchange.ts';
import { balanceOf, expectBooksToAgree, spendingOf } from '../../support/credits.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { keepTestFile } from '../../support/uploads.ts';
import { continuation } from '../chat/asks.ts';

const PLENTY = 10_000_000;
/** The price of the model that nobody knows. */
const UNKNOWN = { prompt: 6, completion: 6 };
/** What is kept free for an answer, in tokens. */
const REPLY_RESERVE = 1024;

const MODELS = ['fake:plain', 'claude-sonnet-5'];

let claude: FakeProvider;
let services: TestServices;
let alice: Person;

beforeAll(async () => {
  claude = await startFakeProvider();
  const anthropic = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_REVERSE_PROXY: claude.url, ANTHROPIC_MODELS: MODELS.join() };
  services = await openTestServices({ ...anthropic, CHECK_BALANCE: 'true', TITLE_CONVO: 'false' });
  const script = () => scriptedStream([{ type: 'text', text: 'Seen' }], { usage: 'never' });
  services.provider.script('gpt-4o', { about: 'a model that sees, and reports no usage', script });
  alice = await services.as('alice');
  await addCredits(services.deps.db, alice.id, PLENTY);
});
afterAll(async () => {
  await services.close();
  await claude.close();
});

describe('the charge of a reply', () => {
  it('follows the usage reported by its provider, prompt and completion apart', async () => {
    const before = await balance();
    const { reply } = await exchange(services, alice.id, question('What does this cost?', { model: 'gpt-4' }));
    const usage = reply.usage ?? { input: 0, output: 0 };
    expect(usage.input).toBeGreaterThan(0);
    expect(before - (await balance())).toBe(
      costInCredits(usage, ratesOfCall({ endpointType: 'openAI', model: 'gpt-4' })),
    );
    expect(await spendingOf(services.deps.db, alice.id, reply.generationId ?? '')).toMatchObject([
      { tokenType: 'prompt', rate: 30, rawAmount: -usage.input, context: 'message', isEstimated: false },
      { tokenType: 'completion', rate: 60, rawAmount: -usage.output, context: 'message', model: 'gpt-4' },
    ]);
    await agree();
  });

  it('is an estimate, marked as one, when the provider reports no usage', async () => {
    const { reply } = await exchange(services, alice.id, question('Guess!', { model: 'fake:no-usage' }));
    const [prompt, completion] = await spendingOf(services.deps.db, alice.id, reply.generationId ?? '');
    expect(prompt).toMatchObject({ tokenType: 'prompt', isEstimated: true });
    expect(prompt?.rawAmount).toBeLessThan(0);
    expect(completion).toMatchObject({ isEstimated: true, rawAmount: -(reply.usage?.output ?? 0) });
    await agree();
  });

  it('includes the tokens of images and of the text of files, by the rules of its provider', async () => {
    const size = { width: 1024, height: 1024 };
    const image = await keepTestFile(services.deps, alice.id, { name: 'a.png', mime: 'image/png', ...size });
    const notes = await keepTestFile(services.deps, alice.id, { text: 'word '.repeat(400) });
    const told = async (endpoint: string, model: string, files: string[]) => {
      const target = {
        kind: 'send' as const,
        messageId: randomUUID(),
        parentMessageId: null,
        text: 'What is it?',
      };
      const asked = question('', { endpoint, model, target: { ...target, files } });
      const { reply } = await exchange(services, alice.id, asked);
      const [prompt] = await spendingOf(services.deps.db, alice.id, reply.generationId ?? '');
      return { charged: -(prompt?.rawAmount ?? 0), sent: reply.context?.tokens ?? 0 };
    };
    const bare = await told('openAI', 'fake:gpt-4o', []);
    const seen = await told('openAI', 'fake:gpt-4o', [image.id]);
    expect([seen.charged - bare.charged, seen.sent - bare.sent]).toEqual([85 + 4 * 170, 85 + 4 * 170]);
    const read = await told('openAI', 'fake:gpt-4o', [notes.id]);
    for (const more of [read.charged - bare.charged, read.sent - bare.sent]) {
      expect(more).toBeGreaterThanOrEqual(400);
      expect(more).toBeLessThan(700);
    }
    const alone = await told('anthropic', 'claude-sonnet-5', []);
    const shown = await told('anthropic', 'claude-sonnet-5', [image.id]);
    expect(shown.sent - alone.sent).toBe(Math.ceil((1024 * 1024) / 750));
    await agree();
  });

  it('includes the prompt and the text at 1.15 times its price when it is stopped', async () => {
    const input = question('Say much', { model: 'fake:never-ending' });
    await alice.api.messages.ask(input);
    await services.provider.waitForRequest(isAskedAbout('Say much'));
    await expect.poll(() => written(input.generationId)).toBeGreaterThan(2);
    const final = await alice.api.messages.abort({ generationId: input.generationId });
    const output = final?.reply.usage?.output ?? 0;
    const [prompt, completion] = await spendingOf(services.deps.db, alice.id, input.generationId);
    expect(output).toBeGreaterThan(0);
    expect(prompt).toMatchObject({ context: 'incomplete', rate: 6, isEstimated: true });
    expect(prompt?.rawAmount).toBeLessThan(0);
    expect(completion).toMatchObject({ context: 'incomplete', rate: 6.9, rawAmount: -output });
    expect(completion?.tokenValue).toBe(-creditsFor(output, UNKNOWN.completion * INCOMPLETE_FACTOR));
    await agree();
  });

  it.each([
    ['openAI', 'gpt-4'],
    ['anthropic', 'claude-sonnet-5'],
  ])('of %s includes the reasoning when it is stopped meanwhile', async (endpoint, model) => {
    // The scenarios are named at the same length, so that the prompts have as many tokens.
    const whole = await exchange(services, alice.id, question('Think [[plain:xxx]]', { endpoint, model }));
    const input = question('Think [[thinking]]', { endpoint, model });
    await alice.api.messages.ask(input);
    await expect.poll(() => written(input.generationId)).toBeGreaterThan(4);
    const final = await alice.api.messages.abort({ generationId: input.generationId });
    const reasoning = final?.reply.parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('') ?? '';
    const [prompt, completion] = await spendingOf(services.deps.db, alice.id, input.generationId);
    expect(reasoning).not.toBe('');
    expect(completion).toMatchObject({ context: 'incomplete', rawAmount: -Math.ceil(reasoning.length / 4) });
    // Anthropic has reported the prompt by then.
    const told = endpoint === 'anthropic' ? -(whole.reply.usage?.input ?? 0) : prompt?.rawAmount;
    expect(prompt?.rawAmount).toBe(told);
    expect(prompt?.rawAmount).toBeLessThan(0);
    await agree();
  });

  it('includes the reasoning when it breaks off meanwhile', async () => {
    const script = () => scriptedStream([{ type: 'reasoning', text: 'A thought' }, { type: 'cut' }]);
    claude.script('thought-cut', { about: 'a thought and a cut socket', script });
    const asked = question('What then? [[thought-cut]]', { endpoint: 'anthropic', model: 'claude-sonnet-5' });
    const { reply } = await exchange(services, alice.id, asked);
    expect(reply.reason).not.toBeNull();
    expect(await spendingOf(services.deps.db, alice.id, asked.generationId)).toHaveLength(2);
    await agree();
  });

  it('is nothing when it is stopped before the provider is called', async () => {
    const before = await balance();
    const input = question('Too late', { model: 'fake:never-ending' });
    await alice.api.messages.abort({ generationId: input.generationId });
    await exchange(services, alice.id, input);
    expect(await balance()).toBe(before);
    await agree();
  });

  it.each(['error-500', 'error-401', 'cut:0'])(
    'is nothing when it fails before the first word (%s)',
    async (scenario) => {
      const before = await balance();
      await exchange(services, alice.id, question(`[[${scenario}]]`, { model: 'gpt-4' }));
      expect(await balance()).toBe(before);
      await agree();
    },
  );

  it('includes what was written before it broke off', async () => {
    const { reply } = await exchange(services, alice.id, question('[[cut:30]]', { model: 'gpt-4' }));
    const [prompt, completion] = await spendingOf(services.deps.db, alice.id, reply.generationId ?? '');
    expect(prompt?.tokenValue).toBeLessThan(0);
    expect(completion).toMatchObject({ context: 'incomplete', rate: 69 });
    await agree();
  });

  it('covers only the new text when it is continued', async () => {
    const first = await exchange(services, alice.id, question('[[length]]', { model: 'gpt-4' }));
    const more = continuation(first, { model: 'gpt-4' });
    const second = await exchange(services, alice.id, more);
    const [, completion] = await spendingOf(services.deps.db, alice.id, more.generationId);
    expect(completion?.rawAmount).toBe((first.reply.usage?.output ?? 0) - (second.reply.usage?.output ?? 0));
    await agree();
  });

  it('does not grow when continuing fails', async () => {
    const first = await exchange(services, alice.id, question('[[length]]', { model: 'gpt-4' }));
    const before = await balance();
    const { reply } = await exchange(services, alice.id, continuation(first, { model: 'fake:error-500' }));
    expect(reply.reason).toMatchObject({ type: 'provider_unavailable' });
    expect(await balance()).toBe(before);
    await agree();
  });

  it('follows the price of the new model when a dearer one continues it', async () => {
    const first = await exchange(services, alice.id, question('[[length]]', { model: 'gpt-3.5-turbo' }));
    const more = continuation(first, { model: 'gpt-4' });
    await exchange(services, alice.id, more);
    expect(await spendingOf(services.deps.db, alice.id, more.generationId)).toMatchObject([
      { tokenType: 'prompt', model: 'gpt-4', rate: 30 },
      { tokenType: 'completion', model: 'gpt-4', rate: 60 },
    ]);
    await agree();
  });

  it('is made once for five asks with the same ids', async () => {
    const input = question('Once');
    await Promise.all([1, 2, 3, 4, 5].map(() => alice.api.messages.ask(input)));
    await readAll(services, alice.id, input.generationId);
    await alice.api.messages.ask(input);
    expect(await spendingOf(services.deps.db, alice.id, input.generationId)).toHaveLength(2);
    await agree();
  });

  it('is reserved for the prompt, the history and a reply', async () => {
    const begun = await exchange(services, alice.id, question('A history. '.repeat(200)));
    const short = question('And?', { model: 'fake:silent' });
    const long = followUp('And?', begun, { model: 'fake:silent' });
    const [alone, together] = [await reservationOf(short), await reservationOf(long)];
    expect(alone).toBeGreaterThan(REPLY_RESERVE * UNKNOWN.completion);
    expect(together).toBeGreaterThan(alone + 1000 * UNKNOWN.prompt);
    await stop(short, long);
    await agree();
  });

  it('a reservation covers what is remembered, too', async () => {
    const before = question('And?', { model: 'fake:silent' });
    const alone = await reservationOf(before);
    await alice.api.memories.setMode({ mode: 'on' });
    await alice.api.memories.save({ id: randomUUID(), text: 'I keep kites. '.repeat(30).trim(), scope: '' });
    const after = question('And?', { model: 'fake:silent' });
    expect(await reservationOf(after)).toBeGreaterThan(alone + 100 * UNKNOWN.prompt);
    await stop(before, after);
    await alice.api.memories.clear({});
    await alice.api.memories.setMode({ mode: 'off' });
    await agree();
  });
});

describe('a run whose process died', () => {
  it('is charged for its text by the process that recovers it', async () => {
    const input = await leaveBehind('It dies while it speaks', textsOf('Half of an answer'));
    await recoverExpiredRuns(services.deps.db, randomUUID());
    const [prompt, completion] = await spendingOf(services.deps.db, alice.id, input.generationId);
    expect(prompt).toMatchObject({ isEstimated: true, context: 'incomplete' });
    expect(prompt?.rawAmount).toBeLessThan(-4);
    expect(completion?.rawAmount).toBe(-Math.ceil('Half of an answer'.length / 4));
    await agree();
  });

  it('costs nothing without text, and releases its reservation', async () => {
    const before = await balance();
    await leaveBehind('It dies in silence', []);
    await recoverExpiredRuns(services.deps.db, randomUUID());
    expect(await balance()).toBe(before);
    await agree();
  });

  it('is charged once, however many processes recover it', async () => {
    const input = await leaveBehind('Everybody settles it', textsOf('Some words'));
    await Promise.all([1, 2, 3, 4].map(() => recoverExpiredRuns(services.deps.db, randomUUID())));
    expect(await spendingOf(services.deps.db, alice.id, input.generationId)).toHaveLength(2);
    await agree();
  });
});

describe('an insufficient balance', () => {
  it('refuses the ask with the numbers and writes nothing', async () => {
    const bob = await services.as('bob');
    const input = question('May I?');
    await expect(bob.api.messages.ask(input)).rejects.toMatchObject({
      cause: { reason: { type: 'token_balance', balance: 0, promptTokens: 7, tokenCost: 42 } },
    });
    await expect(bob.api.convos.byId({ conversationId: input.conversationId })).rejects.toThrow('not_found');
    expect(await bob.api.auth.balance()).toBe('');
  });

  it('is spent to the last credit and never below', async () => {
    const carol = await services.as('carol');
    await addCredits(services.deps.db, carol.id, 100);
    const { reply } = await exchange(services, carol.id, question('[[long:4000]]', { model: 'gpt-3.5-turbo' }));
    expect(reply).toMatchObject({ finishReason: 'incomplete', reason: { type: 'token_balance', balance: 100 } });
    expect(messageText(reply)).toMatch(/^.{200,500}$/s);
    expect(await balanceOf(services.deps.db, carol.id)).toEqual({ credits: 0, reserved: 0 });
    expect(await carol.api.auth.balance()).toBe('0');
    await expectBooksToAgree(services.deps.db, carol.id);
  });
});

describe('without balance checks', () => {
  it('nothing is reserved or charged', async () => {
    const free = await openTestServices({ TITLE_CONVO: 'false' });
    const bob = await free.as('bob');
    const { reply } = await exchange(free, bob.id, question('For free'));
    const [run] = await free.deps.db.query.select().from(generations);
    expect(run).toMatchObject({ id: reply.generationId, reservation: null });
    expect(await free.deps.db.query.$count(transactions)).toBe(0);
    await free.close();
  });
});

async function balance(): Promise<number> {
  return (await balanceOf(services.deps.db, alice.id)).credits;
}

function agree(): Promise<void> {
  return expectBooksToAgree(services.deps.db, alice.id);
}

async function reservationOf(input: AskInput): Promise<number> {
  await alice.api.messages.ask(input);
  const [run] = await services.deps.db.query.select().from(generations).where(eq(generations.id, input.generationId));
  return run?.reservation ?? 0;
}

async function stop(...inputs: AskInput[]): Promise<void> {
  for (const { generationId } of inputs) await alice.api.messages.abort({ generationId });
}

function written(generationId: string): Promise<number> {
  return services.deps.db.query.$count(generationEvents, eq(generationEvents.generationId, generationId));
}

/** A run as a killed process leaves it: asked, with what it had said in the log, and nobody behind it. */
async function leaveBehind(asked: string, said: ReturnType<typeof textsOf>): Promise<AskInput> {
  const { query } = services.deps.db;
  const input = question(asked, { model: 'fake:silent' });
  const { generationId } = input;
  const mine = eq(generations.id, generationId);
  await alice.api.messages.ask(input);
  await services.provider.waitForRequest(isAskedAbout(asked));
  await query.update(generations).set({ owner: randomUUID() }).where(mine);
  await expect.poll(() => services.provider.openStreams()).toBe(0);
  await query.delete(generationEvents).where(eq(generationEvents.generationId, generationId));
  const entries = said.map((event, n) => ({ generationId, seq: n + 2, event }));
  if (entries.length > 0) await query.insert(generationEvents).values(entries);
  await query
    .update(generations)
    .set({ leaseUntil: sql`now() - interval '1 second'` })
    .where(mine);
  return input;
}
