import { randomUUID } from 'node:crypto';
import type { Db } from '@parley/db/client';
import { generations } from '@parley/db/tables/generations';
import { users } from '@parley/db/tables/users';
import { createLogStore } from '@parley/server/chat/log-store';
import { readEntries } from '@parley/server/messages/stored-log';
import { eq, sql } from 'drizzle-orm';
import type { StoreUnderTest } from './generation-log.ts';

/** The server's own store, with generations whose conversations no test reads. */
export async function openPostgresStore(db: Db): Promise<StoreUnderTest> {
  const owner = randomUUID();
  const [user] = await db.query
    .insert(users)
    .values({ email: `${owner}@example.com`, name: 'alice' })
    .returning();
  const userId = user?.id ?? '';

  return {
    store: createLogStore(db, owner),
    async begin() {
      const generationId = randomUUID();
      const ids = { convoId: randomUUID(), requestId: randomUUID(), replyId: randomUUID() };
      const lease = { owner, leaseUntil: sql`now() + interval '8 seconds'` };
      const what = { kind: 'send' as const, endpoint: 'openAI' };
      await db.query.insert(generations).values({ id: generationId, userId, ...ids, ...what, ...lease });
      return { generationId, userId, epoch: 1 };
    },
    read: (generationId, afterSeq) => readEntries(db, generationId, afterSeq),
    async requestStop(generationId) {
      await db.query.update(generations).set({ stopRequested: true }).where(eq(generations.id, generationId));
    },
    async takeOver(generationId) {
      const taken = { owner: randomUUID(), epoch: sql`${generations.epoch} + 1` };
      await db.query.update(generations).set(taken).where(eq(generations.id, generationId));
    },
    async close() {},
  };
}
