import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Entry, FinalEvent } from '@parley/schema/events';
import type { Message } from '@parley/schema/messages';
import type { Delta } from '@parley/server/generation/delta';
import { createLog, type GenerationLog } from '@parley/server/generation/log';
import { readLive } from '@parley/server/generation/read';
import { createRuns, type Job, type Runs } from '@parley/server/generation/runs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMemoryStore } from '../../contracts/memory-log-store.ts';
import type { StoreUnderTest } from '../../contracts/generation-log.ts';
import { createdOf, emptyReply, finalOf } from '../../contracts/generation-events.ts';

let under: StoreUnderTest;
let log: GenerationLog;
let runs: Runs;
let faults: unknown[];

beforeEach(async () => {
  faults = [];
  under = await openMemoryStore();
  log = createLog(under.store, (error) => faults.push(error));
  runs = createRuns(log, { firstMs: 120, nextMs: 60 }, (error) => faults.push(error));
});
afterEach(async () => {
  await runs.close(0);
  await log.close();
});

describe('a run', () => {
  it('goes on without anyone listening', async () => {
    const { final } = await begin(async function* () {
      yield say('Hello');
      await sleep(20);
      yield* [say('!'), done];
    });
    expect((await final).reply).toMatchObject({ parts: [{ type: 'text', text: 'Hello!' }], finishReason: 'stop' });
    await expect.poll(() => runs.size()).toBe(0);
  });

  it('is in the log before anyone can miss it', async () => {
    const { id, final } = await begin(async function* () {
      yield* [say('Hello'), done];
    });
    const live = log.find(id);
    expect(live?.entries[0]?.event.type).toBe('created');
    const reader = live ? readLive(live, 0, AbortSignal.timeout(5000)) : [];
    const entries: Entry[] = [];
    for await (const entry of reader) entries.push(entry);
    expect(entries.at(-1)?.event).toEqual(await final);
  });

  it('that is stopped keeps what was said and closes its provider', async () => {
    let closed = false;
    const { id, final } = await begin(async function* (signal) {
      try {
        for (;;) {
          yield say('on and ');
          await sleep(5, undefined, { signal });
        }
      } finally {
        closed = true;
      }
    });
    await sleep(30);
    const stopped = await runs.stop(id);
    expect(closed).toBe(true);
    expect(stopped).toEqual(await final);
    expect(stopped?.reply).toMatchObject({ finishReason: 'incomplete', reason: null });
    expect(stopped?.reply.parts).toHaveLength(1);
    expect(await runs.stop(id)).toBeNull();
  });

  it('is stopped by a word in the store', async () => {
    const { id, final } = await begin(neverEnding);
    await under.requestStop(id);
    expect((await final).reply).toMatchObject({ finishReason: 'incomplete', reason: null });
  });

  it('whose provider says nothing is ended after the first patience, and after the second in mid-answer', async () => {
    const silent = await begin((signal) => hang(signal));
    const stalling = await begin(async function* (signal) {
      yield say('Well');
      yield* hang(signal);
    });
    expect((await silent.final).reply.reason).toMatchObject({ type: 'provider_stalled' });
    expect((await stalling.final).reply).toMatchObject({
      reason: { type: 'provider_stalled' },
      parts: [{ type: 'text', text: 'Well' }],
    });
  });

  it('says how long its provider was silent, also where its reply had words before', async () => {
    runs = createRuns(log, { firstMs: 1600, nextMs: 600 }, (error) => faults.push(error));
    const before = [{ type: 'text' as const, text: 'Well begun' }];
    const silent = await begin((signal) => hang(signal), undefined, before);
    const stalling = await begin(
      async function* (signal) {
        yield say(', half done');
        yield* hang(signal);
      },
      undefined,
      before,
    );
    expect((await stalling.final).reply.reason).toEqual({ type: 'provider_stalled', seconds: 1 });
    expect((await silent.final).reply).toMatchObject({
      reason: { type: 'provider_stalled', seconds: 2 },
      parts: before,
    });
  });

  it('whose provider fails keeps what was said', async () => {
    const { final } = await begin(async function* () {
      yield say('Half an ans');
      throw new Error('The wire broke');
    });
    expect((await final).reply).toMatchObject({
      reason: { type: 'unknown', text: 'The wire broke' },
      parts: [{ type: 'text', text: 'Half an ans' }],
      finishReason: 'incomplete',
    });
  });

  it('that was taken over by another process saves nothing and closes its provider', async () => {
    let closed = false;
    const { id, saved } = await begin(async function* (signal) {
      try {
        yield* neverEnding(signal);
      } finally {
        closed = true;
      }
    });
    await under.takeOver(id);
    await expect.poll(() => runs.size(), { timeout: 2000 }).toBe(0);
    expect(closed).toBe(true);
    expect(saved).toEqual([]);
  });

  it('is saved when the database comes back', async () => {
    let away = 1;
    const { final } = await begin(
      async function* () {
        yield* [say('Patience'), done];
      },
      () => {
        if (away-- > 0) throw new Error('The database is away');
      },
    );
    expect((await final).reply).toMatchObject({ parts: [{ type: 'text', text: 'Patience' }] });
    expect(faults).toHaveLength(1);
  });
});

describe('at the end of the process', () => {
  it('runs that end soon are waited for', async () => {
    const { saved } = await begin(async function* () {
      await sleep(50);
      yield* [say('Just in time'), done];
    });
    await runs.close(2000);
    expect(saved).toHaveLength(1);
  });

  it('others are left to whoever settles them, with all that was said', async () => {
    const { id, saved } = await begin(neverEnding);
    await sleep(30);
    await runs.close(0);
    expect(saved).toEqual([]);
    expect((await under.read(id, 1)).at(0)?.event).toMatchObject({ type: 'text', offset: 0 });
  });

  it('a database that is away is not waited for', async () => {
    await begin(
      async function* () {
        yield* [say('Lost'), done];
      },
      () => {
        throw new Error('The database is away');
      },
    );
    await sleep(20);
    const began = performance.now();
    await runs.close(50);
    expect(performance.now() - began).toBeLessThan(3000);
  });
});

const done: Delta = { type: 'finish', reason: 'stop' };

function say(text: string): Delta {
  return { type: 'text', text };
}

async function* neverEnding(signal: AbortSignal): AsyncGenerator<Delta> {
  while (!signal.aborted) {
    yield say('on and ');
    await sleep(5);
  }
}

async function* hang(signal: AbortSignal): AsyncGenerator<Delta> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  yield say('');
}

/** Starts a run of which `final` is the end, of a reply that has `parts`; `beforeSaving` may throw. */
async function begin(deltas: Job['deltas'], beforeSaving = () => {}, parts: Message['parts'] = []) {
  const { generationId: id, userId, epoch } = await under.begin();
  const reply = emptyReply({ generationId: id, conversationId: randomUUID(), parts });
  const saved: Message[] = [];
  const final = new Promise<FinalEvent>((resolve) =>
    runs.start({
      generationId: id,
      userId,
      epoch,
      created: createdOf(reply),
      deltas,
      reasonOf: (error) => ({ type: 'unknown', text: error instanceof Error ? error.message : '' }),
      async save(outcome) {
        beforeSaving();
        saved.push(outcome);
        const event = { ...finalOf(outcome), reply: outcome };
        resolve(event);
        return event;
      },
    }),
  );
  return { id, final, saved };
}
