import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Entry, FinalEvent } from '@parley/schema/generation/events';
import type { Message } from '@parley/schema/messages/messages';
import type { Delta } from '@parley/server/generation/delta';
import { tail, createLog, type GenerationLog } from '@parley/server/generation/log';
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
  runs = createRuns(log, { firstTokenMs: 120, idleMs: 60, saveMs: 5000, saveRetryMs: 20 }, (error) =>
    faults.push(error),
  );
});
afterEach(async () => {
  await runs.close(0);
  await log.close();
});

describe('a run', () => {
  it('continues without readers', async () => {
    const { final } = await begin(async function* () {
      yield say('Hello');
      await sleep(20);
      yield* [say('!'), done];
    });
    expect((await final).reply).toMatchObject({ parts: [{ type: 'text', text: 'Hello!' }], finishReason: 'stop' });
    await expect.poll(() => runs.size()).toBe(0);
  });

  it('is in the log before a reader can miss it', async () => {
    const { id, final } = await begin(async function* () {
      yield* [say('Hello'), done];
    });
    const live = log.find(id);
    expect(live?.entries[0]?.event.type).toBe('created');
    const reader = live ? tail(live, 0, AbortSignal.timeout(5000)) : [];
    const entries: Entry[] = [];
    for await (const entry of reader) entries.push(entry);
    expect(entries.at(-1)?.event).toEqual(await final);
  });

  it('keeps its text and closes its provider when it is stopped', async () => {
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

  it('is stopped by a mark in the store', async () => {
    const { id, final } = await begin(neverEnding);
    await under.requestStop(id);
    expect((await final).reply).toMatchObject({ finishReason: 'incomplete', reason: null });
  });

  it('ends when its provider is silent: after the first timeout, or after the second in mid-answer', async () => {
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

  it('goes on while its provider sends bytes without output, up to a limit of its own', async () => {
    const quiet = await begin(async function* (signal, onBytes) {
      for (let n = 0; n < 40; n++) {
        await sleep(10, undefined, { signal });
        onBytes();
      }
      yield* [say('At last'), done];
    });
    expect((await quiet.final).reply).toMatchObject({ reason: null, parts: [{ type: 'text', text: 'At last' }] });
    runs = createRuns(log, { ...patient, quietMs: 500 }, (error) => faults.push(error));
    const endless = await begin(async function* (signal, onBytes) {
      yield say('Well');
      for (;;) {
        await sleep(10, undefined, { signal });
        onBytes();
      }
    });
    expect((await endless.final).reply).toMatchObject({
      reason: { type: 'provider_stalled', seconds: 1 },
      parts: [{ type: 'text', text: 'Well' }],
    });
  });

  it('reports how long its provider was silent, also when the reply had text before', async () => {
    runs = createRuns(log, { firstTokenMs: 1600, idleMs: 600, saveMs: 5000, saveRetryMs: 20 }, (error) =>
      faults.push(error),
    );
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

  it('keeps its text when its provider fails', async () => {
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

  it('is cut at the maximum length of a reply and keeps its text', async () => {
    runs = createRuns(log, { ...patient, replyBytes: 20 }, (error) => faults.push(error));
    let closed = false;
    const before = [{ type: 'text' as const, text: 'What a continued answer had before is not counted. ' }];
    const { final } = await begin(
      async function* (signal) {
        try {
          yield* neverEnding(signal);
        } finally {
          closed = true;
        }
      },
      undefined,
      before,
    );
    expect((await final).reply).toMatchObject({
      reason: { type: 'answer_too_long' },
      finishReason: 'incomplete',
      unfinished: false,
      parts: [{ type: 'text', text: `${before[0]?.text}on and on and on and ` }],
    });
    expect(closed).toBe(true);
  });

  it('counts the input of a tool once, however often it is sent', async () => {
    runs = createRuns(log, { ...patient, replyBytes: 100 }, (error) => faults.push(error));
    const { final } = await begin(async function* () {
      for (let length = 1; length <= 60; length++)
        yield {
          type: 'tool',
          call: { id: 'a', kind: 'function', name: 'f', input: 'x'.repeat(length), output: null, progress: 0.1 },
        };
      yield done;
    });
    expect((await final).reply.reason).toBeNull();
  });

  it('counts the input of every tool, also of one that is sent again in another state', async () => {
    runs = createRuns(log, { ...patient, replyBytes: 100 }, (error) => faults.push(error));
    const { final } = await begin(async function* () {
      for (const id of ['a', 'b'])
        for (const progress of [0.1, 0.2])
          yield {
            type: 'tool',
            call: { id, kind: 'function', name: 'f', input: 'x'.repeat(60), output: null, progress },
          };
      yield done;
    });
    expect((await final).reply.reason).toEqual({ type: 'answer_too_long' });
  });

  it('is cut at the maximum duration of a reply', async () => {
    runs = createRuns(log, { ...patient, replyMs: 100 }, (error) => faults.push(error));
    const { final } = await begin(neverEnding);
    const { reply } = await final;
    expect(reply).toMatchObject({ reason: { type: 'answer_too_slow' }, finishReason: 'incomplete' });
    expect(reply.parts).toHaveLength(1);
  });

  it('saves nothing and closes its provider when another process has claimed it', async () => {
    let closed = false;
    const { id, saved } = await begin(async function* (signal) {
      try {
        yield* neverEnding(signal);
      } finally {
        closed = true;
      }
    });
    await under.takeOver(id);
    await expect.poll(() => runs.size()).toBe(0);
    expect(closed).toBe(true);
    expect(saved).toEqual([]);
  });

  it('is saved when the database returns', async () => {
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

describe('at shutdown', () => {
  it('runs that end soon are waited for', async () => {
    const { saved } = await begin(async function* () {
      await sleep(50);
      yield* [say('Just in time'), done];
    });
    await runs.close(2000);
    expect(saved).toHaveLength(1);
  });

  it('other runs are left to recovery with their whole text', async () => {
    const { id, saved } = await begin(neverEnding);
    await sleep(30);
    await runs.close(0);
    expect(saved).toEqual([]);
    expect((await under.read(id, 1)).at(0)?.event).toMatchObject({ type: 'text', offset: 0 });
  });

  it('a database that is down is not waited for', async () => {
    await begin(
      async function* () {
        yield* [say('Lost'), done];
      },
      () => {
        throw new Error('The database is away');
      },
    );
    await sleep(20);
    // It would be tried for minutes, which is longer than a test may take.
    await runs.close(50);
  });
});

const patient = { firstTokenMs: 5000, idleMs: 5000, saveMs: 5000, saveRetryMs: 20 };

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
