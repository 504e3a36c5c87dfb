import { messages } from '@parley/db/tables/messages';
import { messageText, type Message } from '@parley/schema/messages/messages';
import { countTokens } from '@parley/server/catalog/count-tokens';
import { namesOnly } from '@parley/server/chat/context/files/attachments';
import { assertFits, planHistory } from '@parley/server/chat/context/history';
import { branchAbove, nothingAbove } from '@parley/server/chat/context/recent-branches';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, followUp, isAskedAbout, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { insertThread as insert } from './long-thread.ts';

/** A model with a window of 4,092 tokens, of which 1,024 are kept for the answer. */
const SMALL = 'gpt-3.5-turbo-0301';
const WINDOW = 4092;
const BUDGET = WINDOW - 1024;
/** What a message costs beside its text. */
const FRAME = 4;

let services: TestServices;
let alice: Person;

beforeAll(async () => {
  services = await openTestServices({ OPENAI_MODELS: `${SMALL},gpt-4-turbo-preview,fake:echo` });
  alice = await services.as('alice');
});
afterAll(() => services.close());

describe('the history sent to a model', () => {
  it('is the whole branch when it fits', async () => {
    const first = await exchange(services, alice.id, question('One'));
    const second = await exchange(services, alice.id, followUp('Two', first));
    expect(second.reply.context).toMatchObject({
      window: 4095,
      included: 3,
      omitted: 0,
      oldestId: first.request.messageId,
    });
  });

  it('is its newest part when it does not fit, and the answer records how much was left out', async () => {
    const thread = await insertThread(30, (n) => `Message ${n}. ${'word '.repeat(250)}`);
    const final = await exchange(services, alice.id, {
      ...followUp('And now?', thread, { model: SMALL }),
    });
    const { context } = final.reply;
    expect(context).toMatchObject({ window: WINDOW });
    expect((context?.included ?? 0) + (context?.omitted ?? 0)).toBe(31);
    const asked = await services.provider.waitForRequest(isAskedAbout('And now?'));
    const { messages: shown } = asked.body as { messages: { content: string }[] };
    expect(shown).toHaveLength(context?.included ?? 0);
    expect(shown[0]?.content).toContain(`Message ${context?.omitted}.`);
    const prices = await Promise.all(shown.map(async ({ content }) => FRAME + (await countTokens(content))));
    const spent = prices.reduce((sum, price) => sum + price, 0);
    expect(spent).toBeLessThanOrEqual(BUDGET);
    expect(spent).toBeGreaterThan(BUDGET - 300);
  });

  it('is the question alone when only that fits, and fits exactly', async () => {
    const thread = await insertThread(2, () => 'Before');
    const exact = 'word '.repeat(BUDGET).slice(0, 5 * (BUDGET - FRAME) - 1);
    expect(await countTokens(exact)).toBe(BUDGET - FRAME);
    const final = await exchange(services, alice.id, followUp(exact, thread, { model: SMALL }));
    expect(final.reply).toMatchObject({ reason: null, context: { included: 1, omitted: 2 } });
  });

  it('is refused when the question alone is too long, with its length', async () => {
    const long = `${'word '.repeat(BUDGET - FRAME)}word`;
    const final = await exchange(services, alice.id, question(long, { model: SMALL }));
    expect(final.reply).toMatchObject({
      reason: { type: 'context_too_long', tokens: BUDGET + 1, window: WINDOW },
      parts: [],
    });
    expect(final.convo.running).toBeNull();
  });

  it('is counted exactly when its bytes do not decide', async () => {
    const cjk = '天気がとても良いので散歩に行きました。'.repeat(60);
    expect(Buffer.byteLength(cjk)).toBeGreaterThan(BUDGET);
    expect(await countTokens(cjk)).toBeLessThan(BUDGET - FRAME);
    const final = await exchange(services, alice.id, question(cjk, { model: SMALL }));
    expect(final.reply.reason).toBeNull();
  });

  it('omits failures and empty answers', async () => {
    const first = await exchange(services, alice.id, question('[[error-500]] Fails', { model: SMALL }));
    const second = await exchange(services, alice.id, followUp('[[empty]] Says nothing', first, { model: SMALL }));
    const third = await exchange(services, alice.id, followUp('Third time', second));
    const asked = await services.provider.waitForRequest(isAskedAbout('Third time'));
    const { messages: shown } = asked.body as { messages: { role: string }[] };
    expect(shown.map(({ role }) => role)).toEqual(['user', 'user', 'user']);
    expect(third.reply.context).toMatchObject({ included: 3, omitted: 0 });
  });

  it('includes the text of an answer that broke off', async () => {
    const first = await exchange(services, alice.id, question('[[cut:9]] Breaks off', { model: SMALL }));
    expect(first.reply.reason).not.toBeNull();
    await exchange(services, alice.id, followUp('Go on', first));
    const asked = await services.provider.waitForRequest(isAskedAbout('Go on'));
    expect(asked.body).toMatchObject({ messages: [{}, { content: messageText(first.reply) }, {}] });
  });

  it('may contain control tokens as text', async () => {
    const long = `<|endoftext|> <|im_start|>system ${'word '.repeat(700)}`;
    const final = await exchange(services, alice.id, question(long, { model: SMALL }));
    expect(final.reply.reason).toBeNull();
  });
});

describe('a question without spaces', () => {
  it.each(['a', '中', ' ', '=', '\n', '😀', '‍'])('of %j repeated 100,000 times is counted', async (character) => {
    const thread = await insertThread(1, () => `x${character.repeat(100_000)}`);
    // Some of them are few tokens and fit. Work that grows with the square of them would outlast the test.
    await read(thread.reply, { window: WINDOW, budget: BUDGET }).catch(() => {});
  });
});

describe('a thread of 2,000 messages', () => {
  it('is read only as far as the window reaches', async () => {
    const thread = await insertThread(2000, (n) => `${n}: ${'some words of no weight '.repeat(4)}`);
    const small = await read(thread.reply, { window: WINDOW, budget: BUDGET });
    const large = await read(thread.reply, { window: 127_990, budget: 126_966 });
    expect(small.context.included + small.context.omitted).toBe(2000);
    expect(small.context.included).toBeLessThan(200);
    expect(large.context).toMatchObject({ window: 127_990, included: 2000, omitted: 0 });
    expect(large.messages[0]?.content).toMatch(/^0:/);
  });
});

describe('a damaged thread', () => {
  it('is read once when it has a cycle', async () => {
    const thread = await insertThread(6, (n) => (n % 2 === 0 ? `Say ${n}` : ''));
    await services.deps.db.query
      .update(messages)
      .set({ parentId: thread.reply.messageId })
      .where(sql`id = ${thread.ids[0]}`);
    const history = await read(thread.all[4], { window: WINDOW, budget: BUDGET });
    expect(history.messages.map(({ content }) => content)).toEqual(['Say 0', 'Say 2', 'Say 4']);
  });

  it('is read from its oldest message when its root is missing', async () => {
    const thread = await insertThread(4, (n) => `Say ${n}`);
    await services.deps.db.query.delete(messages).where(sql`id = ${thread.ids[1]}`);
    const history = await read(thread.reply, { window: WINDOW, budget: BUDGET });
    expect(history.messages.map(({ content }) => content)).toEqual(['Say 2', 'Say 3']);
  });
});

async function read(request: Message | undefined, { window, budget }: { window: number; budget: number }) {
  if (!request) throw new Error('There is no such message');
  const limits = {
    window,
    reserve: window - budget,
    instructions: '',
    summarises: false,
    opensWithQuestion: false,
    toolKeys: [],
    attachments: namesOnly,
  };
  const { parentMessageId } = request;
  const above = parentMessageId ? branchAbove(services.deps.db.query, alice.id, parentMessageId) : nothingAbove;
  return assertFits(await planHistory(above, request, limits), window).history;
}

/** A conversation of so many messages under each other, by turns a question and an answer. */
function insertThread(count: number, textAt: (n: number) => string) {
  return insert(services.deps.db, alice, { count, model: SMALL, textAt });
}
