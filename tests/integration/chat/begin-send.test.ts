import { setTimeout as sleep } from 'node:timers/promises';
import type { Tx } from '@parley/db/client';
import { earlyStops } from '@parley/db/tables/generations';
import { messages } from '@parley/db/tables/messages';
import { nextChange } from '@parley/server/convos/changes';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let alice: Person;

beforeAll(async () => {
  // A title would wait for the user, too.
  services = await openTestServices({ TITLE_CONVO: 'false' });
  alice = await services.as('alice');
});
afterAll(() => services.close());

/** Starts `ask` while a transaction of its user is open; `change` runs in it before it commits. */
async function askDuring<T>(
  ask: () => Promise<T>,
  change: (tx: Tx) => Promise<unknown>,
): Promise<PromiseSettledResult<T>> {
  let asked: Promise<PromiseSettledResult<T>[]> | undefined;
  await services.deps.db.query.transaction(async (tx) => {
    await nextChange(tx, alice.id);
    asked = Promise.allSettled([ask()]);
    await untilOneWaits();
    await change(tx);
  });
  const [result] = (await asked) ?? [];
  if (!result) throw new Error('Nothing was asked');
  return result;
}

/** Until a statement waits for a lock. */
async function untilOneWaits(): Promise<void> {
  const waiting = () => services.deps.db.sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await waiting()).length === 0) await sleep(5);
}

function following(text: string, { convo, reply }: Awaited<ReturnType<typeof exchange>>) {
  const input = question(text, { conversationId: convo.conversationId });
  if (input.target.kind !== 'send') throw new Error('This is no question');
  return { ...input, target: { ...input.target, parentMessageId: reply.messageId } };
}

describe('a question that waits for another change of its user', () => {
  it('is refused when that change deletes its parent', async () => {
    const first = await exchange(services, alice.id, question('Who is there?'));
    const result = await askDuring(
      () => alice.api.messages.ask(following('And now?', first)),
      (tx) =>
        tx
          .update(messages)
          .set({ deletedAt: sql`now()` })
          .where(eq(messages.id, first.reply.messageId)),
    );
    expect(result).toMatchObject({ status: 'rejected', reason: { cause: { reason: { type: 'not_found' } } } });
  });

  it('notices a stop that comes with that change', async () => {
    const input = question('[[tokens:200@20]] Never mind', { model: 'gpt-4' });
    const result = await askDuring(
      () => alice.api.messages.ask(input),
      (tx) => tx.insert(earlyStops).values({ userId: alice.id, generationId: input.generationId }),
    );
    expect(result.status).toBe('fulfilled');
    await expect
      .poll(async () => {
        const [reply] = await services.deps.db.query.select().from(messages).where(eq(messages.id, input.replyId));
        return reply?.finishReason;
      })
      .toBe('incomplete');
    expect(services.provider.requests.some(({ body }) => `${JSON.stringify(body)}`.includes('Never mind'))).toBe(false);
  });

  it('is written below its parent, in the order of question and answer', async () => {
    const first = await exchange(services, alice.id, question('One'));
    const result = await askDuring(
      () => alice.api.messages.ask(following('Two', first)),
      async () => undefined,
    );
    if (result.status !== 'fulfilled') throw result.reason;
    const { request, reply } = result.value;
    expect(request.parentMessageId).toBe(first.reply.messageId);
    expect(reply.parentMessageId).toBe(request.messageId);
    expect(reply.seq).toBeGreaterThan(request.seq);
  });
});
