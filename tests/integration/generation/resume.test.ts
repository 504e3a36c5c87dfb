import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Entry } from '@parley/schema/generation/events';
import { fold } from '@parley/schema/generation/fold';
import type { Message } from '@parley/schema/messages/messages';
import type { Delta } from '@parley/server/generation/delta';
import { tail, createLog } from '@parley/server/generation/log';
import type { LiveLog } from '@parley/server/generation/live-log';
import { createRuns } from '@parley/server/generation/runs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyDeltas, anyRewrittenDeltas, createdOf, emptyReply, finalOf } from '../../contracts/generation-events.ts';
import type { StoreUnderTest } from '../../contracts/generation-log.ts';
import { openPostgresStore } from '../../contracts/postgres-log-store.ts';
import { createTestDatabase } from '../../support/database.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let under: StoreUnderTest;

beforeAll(async () => {
  database = await createTestDatabase();
  under = await openPostgresStore(database.db);
});
afterAll(() => database.drop());

/** One number decides everything that happens by chance, so that a failure can be played again. */
const chances = fc.infiniteStream(fc.nat(99));

describe('for random provider output and random readers', () => {
  it('every reader and the database get the same text', async () => {
    await fc.assert(
      fc.asyncProperty(anyDeltas, chances, async (deltas, stream) => {
        const chance = () => Number(stream.next().value);
        const { saved, readers, stored } = await play(deltas, chance);
        for (const reader of readers) expect(reader).toEqual(saved.parts);
        expect(stored).toEqual(saved.parts);
      }),
      { numRuns: 60 },
    );
  });

  it('the same holds when the provider replaces its text, for readers who resume', async () => {
    await fc.assert(
      fc.asyncProperty(anyRewrittenDeltas, chances, async (deltas, stream) => {
        const chance = () => Number(stream.next().value);
        const { saved, readers, stored } = await play(deltas, chance, { goingBack: false });
        for (const reader of readers) expect(reader).toEqual(saved.parts);
        expect(stored).toEqual(saved.parts);
      }),
      { numRuns: 60 },
    );
  });
});

/** Runs it with five restless readers, and reads what the database has of it just before the end. */
async function play(deltas: readonly Delta[], chance: () => number, { goingBack = true } = {}) {
  const faults: unknown[] = [];
  const log = createLog(under.store, (error) => faults.push(error));
  const runs = createRuns(log, { firstTokenMs: 5000, idleMs: 5000, saveMs: 5000, saveRetryMs: 20 }, (error) =>
    faults.push(error),
  );
  const { generationId, userId, epoch } = await under.begin();
  const reply = emptyReply({ generationId });
  let stored: Message = reply;
  const saved = new Promise<Message>((resolve) =>
    runs.start({
      generationId,
      userId,
      epoch,
      created: createdOf(reply),
      async *deltas() {
        for (const delta of deltas) {
          if (chance() < 30) await nextTurn();
          if (chance() < 10) await log.drain();
          yield delta;
        }
        // A half of a pair that comes last is sent only at the very end, and by then nothing is written any more.
        yield { type: 'text', text: '.' };
        await nextTurn();
        await log.drain();
        yield { type: 'finish', reason: 'stop' };
      },
      reasonOf: (error) => ({ type: 'unknown', text: String(error) }),
      async save(outcome) {
        stored = foldAll(await under.read(generationId, 0), stored);
        resolve(outcome);
        return { ...finalOf(outcome), reply: outcome };
      },
    }),
  );
  const live = log.find(generationId);
  if (!live) throw new Error('The run is not live');
  const readers = Array.from({ length: 5 }, () => readRestlessly(live, generationId, reply, chance, goingBack));
  const result = { saved: await saved, readers: await Promise.all(readers), stored: stored.parts };
  await log.close();
  expect(faults).toEqual([]);
  expect(result.saved.reason).toBeNull();
  return result;
}

/** Comes and goes: now reads live, now from the database, from where it was or from any place before. */
async function readRestlessly(
  live: LiveLog,
  generationId: string,
  empty: Message,
  chance: () => number,
  goingBack: boolean,
) {
  let reply = empty;
  let cursor = 0;
  for (;;) {
    const patience = chance() % 7;
    const from = goingBack && chance() < 30 ? Math.floor((cursor * chance()) / 100) : cursor;
    const entries = chance() < 20 ? await under.read(generationId, from) : tail(live, from, never);
    let heard = 0;
    for await (const { seq, event } of entries) {
      // What is folded has to be whole before the final event replaces it.
      if (event.type === 'final') return reply.parts;
      reply = fold(reply, event);
      cursor = seq;
      if (chance() < 20) await nextTurn();
      if (heard++ >= patience) break;
    }
  }
}

const never = new AbortController().signal;

function foldAll(entries: readonly Entry[], reply: Message): Message {
  return entries.reduce((message, { event }) => fold(message, event), reply);
}
