// How many statements write a question, to several models and to one.
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { PostgresJsSession } from 'drizzle-orm/postgres-js';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { question, readAll } from '../../support/exchange.ts';
import { withServices } from '../../support/services.ts';

const stage = withServices();

/** What is sent for an ask. What the server sends meanwhile for itself is not of it. */
const sent = new AsyncLocalStorage<string[]>();

beforeEach(() => {
  const { prepareQuery } = PostgresJsSession.prototype;
  vi.spyOn(PostgresJsSession.prototype, 'prepareQuery').mockImplementation(function (this: never, ...args) {
    sent.getStore()?.push(args[0].sql);
    return prepareQuery.apply(this, args);
  });
});
afterEach(() => void vi.restoreAllMocks());

it('seven write a question to four models, eight one below the answers of four, and one a question to one model', async () => {
  const first = asking([null, null, null, null]);
  expect(await statementsOf(() => stage.alice.api.messages.askMany(first))).toHaveLength(7);
  await allAnswered(first);
  const { conversationId, asks } = first;
  const next = { conversationId, asks: asking(asks.map(({ replyId }) => replyId)).asks };
  expect(await statementsOf(() => stage.alice.api.messages.askMany(next))).toHaveLength(8);
  await allAnswered(next);
  const toOne = question('How many?', { model: 'fake:plain' });
  expect(await statementsOf(() => stage.alice.api.messages.ask(toOne))).toHaveLength(1);
});

/** Until the question is written; the runs that begin then send their own. */
function statementsOf(ask: () => Promise<unknown>): Promise<string[]> {
  const { query, locking } = stage.services.deps.db;
  return sent.run([], async () => {
    let written: string[] = [];
    const note = <T>(result: T): T => {
      written = [...(sent.getStore() ?? [])];
      return result;
    };
    const { transaction } = query;
    const { execute } = locking;
    query.transaction = (async (...args: Parameters<typeof transaction>) =>
      note(await transaction(...args))) as typeof transaction;
    locking.execute = (async (statement: Parameters<typeof execute>[0]) =>
      note(await execute.call(locking, statement))) as unknown as typeof execute;
    await ask().finally(() => {
      Object.assign(query, { transaction });
      Object.assign(locking, { execute });
    });
    return written;
  });
}

/** A question to as many models as it has parents: one where all of these are null, else one below each. */
function asking(parents: readonly (string | null)[]) {
  const messageId = randomUUID();
  const asks = parents.map((parentMessageId) => ({
    generationId: randomUUID(),
    replyId: randomUUID(),
    endpoint: 'openAI',
    model: 'fake:plain',
    settings: {},
    target: {
      kind: 'send' as const,
      messageId: parentMessageId === null ? messageId : randomUUID(),
      parentMessageId,
      text: 'How many?',
    },
  }));
  return { conversationId: randomUUID(), asks };
}

async function allAnswered({ asks }: ReturnType<typeof asking>): Promise<void> {
  await Promise.all(asks.map(({ generationId }) => readAll(stage.services, stage.alice.id, generationId)));
}
