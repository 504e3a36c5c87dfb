// A server that stops while calls are open.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { exchange, question } from '../../support/exchange.ts';
import { openTestServices } from '../../support/services.ts';

it('lets a call end that waits for the database', async () => {
  // A title would wait for the conversation, too.
  const services = await openTestServices({ TITLE_CONVO: 'false' });
  const alice = await services.as('alice');
  const { convo } = await exchange(services, alice.id, question('Who waits?'));
  const { conversationId } = convo;
  const { sql } = services.deps.db;
  const isWaiting = async () => {
    const [row] = await sql`select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock'
      and datname = current_database()`;
    return row?.n;
  };
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const locking = sql.begin(async (tx) => {
    await tx`select 1 from convos where id = ${conversationId} for update`;
    await held;
  });
  await expect.poll(() => sql`select 1 from convos for update skip locked`).toHaveLength(0);
  const removed = alice.api.convos.remove({ conversationId });
  await expect.poll(isWaiting).toBe(1);
  const closed = services.close();
  // Without waiting it closes the database meanwhile.
  await sleep(500);
  release();
  expect(await removed).toMatchObject({ deletedCount: 1 });
  await Promise.all([locking, closed]);
});
