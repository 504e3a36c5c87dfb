// The contract of a generation log, for every store.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Entry, GenerationEvent } from '@parley/schema/generation/events';
import { merge } from '@parley/schema/generation/fold';
import { tail, createLog, type GenerationLog, type Opened } from '@parley/server/generation/log';
import { END } from '@parley/server/generation/live-log';
import type { LogStore } from '@parley/server/generation/log-store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createdOf, emptyReply, finalOf, folded, text, textsOf } from './generation-events.ts';

export interface StoreUnderTest {
  store: LogStore;
  /** Starts a generation of this process whose events the store accepts. */
  begin(): Promise<Opened>;
  /** The stored entries of a generation after `afterSeq`, in order. */
  read(generationId: string, afterSeq: number): Promise<Entry[]>;
  requestStop(generationId: string): Promise<void>;
  /** Another process takes over the generation. */
  takeOver(generationId: string): Promise<void>;
  close(): Promise<void>;
}

/** A character that every store rejects: PostgreSQL stores no NUL. */
export const POISON = '\u0000';

export function describeGenerationLog(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`a generation log over ${name}`, () => {
    let under: StoreUnderTest;
    let weather: Weather;
    let log: GenerationLog;
    const faults: unknown[] = [];

    beforeEach(async () => {
      faults.length = 0;
      under = await open();
      weather = createWeather(under.store);
      log = createLog(weather.store, (error) => faults.push(error));
    });
    afterEach(async () => {
      await log.close();
      await under.close();
    });

    let heard: string[] = [];
    async function begin(...events: GenerationEvent[]): Promise<string> {
      // Of its own: a write of the test before may still end.
      const own: string[] = [];
      heard = own;
      const opened = await under.begin();
      log.open(opened, (standing) => own.push(standing));
      for (const event of events) log.append(opened.generationId, event);
      return opened.generationId;
    }

    function read(generationId: string, afterSeq = 0, signal = AbortSignal.timeout(5000)) {
      const live = log.find(generationId);
      if (!live) throw new Error('The generation is not live');
      return tail(live, afterSeq, signal);
    }

    describe('a reader', () => {
      it('is told what was said, in order, to the end', async () => {
        const reply = emptyReply();
        const id = await begin(createdOf(reply), ...textsOf('Hello', ', ', 'Alice'));
        const reader = collect(read(id));
        log.append(id, text(12, '!'));
        log.end(id, finalOf(reply));
        const entries = await reader;
        expect(entries[0]?.event.type).toBe('created');
        expect(folded(entries.slice(0, -1)).parts).toEqual([{ type: 'text', text: 'Hello, Alice!' }]);
        expect(entries.at(-1)).toEqual({ seq: END, event: finalOf(reply) });
      });

      it('who comes late, at any cursor, has the whole in the end', async () => {
        const reply = emptyReply();
        const events = [createdOf(reply), ...textsOf(...'The harbour was quiet'.split(' '))];
        const id = await begin(...events);
        const whole = folded(numbered(events), reply);
        for (let cursor = 0; cursor <= events.length; cursor += 1) {
          const seen = folded(numbered(events).slice(0, cursor), reply);
          expect(folded(await readFor(20, read, id, cursor), seen)).toEqual(whole);
          await log.drain();
          expect(folded(await readFor(20, read, id, cursor), seen)).toEqual(whole);
          expect(folded(await under.read(id, cursor), seen)).toEqual(whole);
        }
      });

      it('whose cursor is ahead of the log is told from the beginning', async () => {
        const id = await begin(createdOf(emptyReply()), ...textsOf('Hello'));
        const [first] = await readFor(20, read, id, 500);
        expect(first?.event.type).toBe('created');
      });

      it('is not told again what it was told before a write merged it', async () => {
        const id = await begin(createdOf(emptyReply()), text(0, 'One'));
        const reader = read(id);
        await reader.next();
        expect((await reader.next()).value?.event).toEqual(text(0, 'One'));
        log.append(id, text(3, ' two'));
        await log.drain();
        expect((await reader.next()).value?.event).toEqual(text(3, ' two'));
        await reader.return();
      });

      it('who pauses gets the newest merged, and costs nothing meanwhile', async () => {
        const id = await begin(createdOf(emptyReply()));
        const reader = read(id);
        await reader.next();
        for (let n = 0; n < 20; n += 1) {
          for (let word = 0; word < 1000; word += 1) log.append(id, text((n * 1000 + word) * 5, 'word '));
          await log.drain();
        }
        expect(log.find(id)?.entries.length).toBeLessThanOrEqual(1 + 20);
        const next = await reader.next();
        expect(next.value?.event).toMatchObject({ type: 'text', offset: 0 });
        expect(next.value?.event).toHaveProperty('text.length', 100_000);
        await reader.return();
      });

      it('who leaves is forgotten', async () => {
        const id = await begin(createdOf(emptyReply()));
        const leaving = Array.from({ length: 20 }, () => new AbortController());
        const readers = leaving.map(({ signal }) => collect(read(id, 0, signal)));
        await expect.poll(() => log.find(id)?.waiters.size).toBe(20);
        for (const one of leaving) one.abort();
        await Promise.all(readers);
        expect(log.find(id)?.waiters.size).toBe(0);
      });

      it('of a log that goes on elsewhere is let go without an end', async () => {
        const id = await begin(createdOf(emptyReply()), text(0, 'Hello'));
        const reader = collect(read(id));
        log.end(id, null);
        expect((await reader).map(({ event }) => event.type)).toEqual(['created', 'text']);
        expect(log.find(id)).toBeUndefined();
      });

      it('who came before the generation hears of it at once, and waits no longer than it said', async () => {
        const waiting = log.opened('nowhere', 30);
        const opened = await under.begin();
        const heardOf = log.opened(opened.generationId, 5000);
        log.open(opened, () => {});
        await heardOf;
        await waiting;
      });
    });

    describe('the store', () => {
      it('has everything once it is drained, neighbouring text as one row', async () => {
        const id = await begin(createdOf(emptyReply()), ...textsOf('a', 'b', 'c'));
        await log.drain();
        expect(await under.read(id, 0)).toMatchObject([
          { seq: 1, event: { type: 'created' } },
          { seq: 4, event: text(0, 'abc') },
        ]);
        log.append(id, text(3, 'd'));
        await log.drain();
        expect(await under.read(id, 4)).toEqual([{ seq: 5, event: text(3, 'd') }]);
      });

      it('is written to without being asked, about ten times a second', async () => {
        const id = await begin(createdOf(emptyReply()));
        await expect.poll(() => under.read(id, 0)).toHaveLength(1);
      });

      it('keeps many generations apart', async () => {
        const ids: string[] = [];
        for (let n = 0; n < 10; n += 1) ids.push(await begin(createdOf(emptyReply())));
        await log.drain();
        const before = weather.writes;
        for (const [n, id] of ids.entries()) log.append(id, text(0, `I am ${n}`));
        await log.drain();
        for (const [n, id] of ids.entries())
          expect(folded(await under.read(id, 0)).parts).toEqual([{ type: 'text', text: `I am ${n}` }]);
        // Batched: far fewer statements than generations, however slow the machine.
        expect(weather.writes - before).toBeLessThan(ids.length);
      });

      it('is told nothing more of a sealed generation, whose lease lives on', async () => {
        const id = await begin(createdOf(emptyReply()), text(0, 'before'));
        await log.drain();
        await log.flushAndFreeze(id);
        log.append(id, text(6, 'after'));
        await log.drain();
        expect(await under.read(id, 2)).toEqual([]);
        expect(heard).toEqual([]);
      });

      it('passes on a stop', async () => {
        const id = await begin(createdOf(emptyReply()));
        await under.requestStop(id);
        await log.drain();
        expect(heard).toEqual(['stop']);
      });

      it('takes nothing from a process that lost the generation, which hears of it', async () => {
        const id = await begin(createdOf(emptyReply()), text(0, 'mine'));
        await log.drain();
        await under.takeOver(id);
        log.append(id, text(4, ' no more'));
        await log.drain();
        // Told by each write that finds it lost: two where the store is slow.
        expect(new Set(heard)).toEqual(new Set(['lost']));
        expect(folded(await under.read(id, 0)).parts).toEqual([{ type: 'text', text: 'mine' }]);
      });

      it('is stalled by no event that it cannot keep', async () => {
        const good: string[] = [];
        for (let n = 0; n < 3; n += 1) good.push(await begin(createdOf(emptyReply()), text(0, 'good')));
        const bad = await begin(createdOf(emptyReply()), text(0, POISON));
        for (let n = 0; n < 3; n += 1) good.push(await begin(createdOf(emptyReply()), text(0, 'good')));
        await log.drain();
        for (const id of good) expect(folded(await under.read(id, 0)).parts).toEqual([{ type: 'text', text: 'good' }]);
        expect(await under.read(bad, 0)).toEqual([]);
        expect(faults).not.toHaveLength(0);
      });

      it('that was away for a while has lost nothing', async () => {
        const id = await begin(createdOf(emptyReply()), text(0, 'before'));
        weather.turn('away');
        log.append(id, text(6, ' during'));
        await log.drain();
        log.append(id, text(13, ' and still'));
        await log.drain();
        expect(faults.length).toBeGreaterThanOrEqual(2);
        weather.turn('fair');
        log.append(id, text(23, ' after'));
        await log.drain();
        expect(folded(await under.read(id, 0)).parts).toEqual([
          { type: 'text', text: 'before during and still after' },
        ]);
      });

      it('whose answer was lost takes the same events again', async () => {
        const call = { type: 'tool_call' as const, call: { id: 'a', kind: 'function' as const, name: 'f' } };
        const tool = { type: 'part' as const, part: 1, value: { ...call, call: { ...call.call, ...told } } };
        const id = await begin(createdOf(emptyReply()), text(0, 'before'), tool);
        weather.turn('deaf');
        await log.drain();
        weather.turn('fair');
        log.append(id, text(0, 'after', 2));
        await log.drain();
        expect(faults).toHaveLength(1);
        expect(folded(await under.read(id, 0)).parts).toMatchObject([
          { type: 'text', text: 'before' },
          { type: 'tool_call' },
          { type: 'text', text: 'after' },
        ]);
      });

      it('has everything when the log is closed', async () => {
        const ids = [await begin(createdOf(emptyReply()), text(0, 'one')), await begin(createdOf(emptyReply()))];
        await log.close();
        for (const id of ids) expect((await under.read(id, 0)).length).toBeGreaterThan(0);
      });

      it('is written to by one write at a time', async () => {
        const id = await begin(createdOf(emptyReply()));
        let offset = 0;
        await Promise.all(
          Array.from({ length: 20 }, async (_, n) => {
            await sleep(n);
            log.append(id, text(offset, 'x'));
            offset += 1;
            await log.drain();
          }),
        );
        const rows = await under.read(id, 1);
        expect(rows.every((row, n) => n === 0 || merge(rows[n - 1]?.event ?? row.event, row.event))).toBe(true);
        expect(folded(rows).parts).toEqual([{ type: 'text', text: 'x'.repeat(20) }]);
        expect(weather.atOnce).toBe(1);
      });
    });
  });
}

const told = { input: '{}', output: null, progress: 0.1 };

interface Weather {
  store: LogStore;
  /** `away` rejects every write; `deaf` writes, and then the connection breaks before the answer. */
  turn(weather: 'fair' | 'away' | 'deaf'): void;
  writes: number;
  /** The highest number of concurrent writes. */
  atOnce: number;
}

function createWeather(store: LogStore): Weather {
  let now: 'fair' | 'away' | 'deaf' = 'fair';
  let underWay = 0;
  const weather: Weather = { store: { write }, turn: (next) => void (now = next), writes: 0, atOnce: 0 };
  return weather;

  async function write(batches: Parameters<LogStore['write']>[0]) {
    weather.writes += 1;
    underWay += 1;
    weather.atOnce = Math.max(weather.atOnce, underWay);
    try {
      if (now === 'away') throw new Error('The store is away');
      const standings = await store.write(batches);
      if (now === 'deaf') throw new Error('The connection broke');
      return standings;
    } finally {
      underWay -= 1;
    }
  }
}

function numbered(events: readonly GenerationEvent[]): Entry[] {
  return events.map((event, n) => ({ seq: n + 1, event }));
}

async function collect(entries: AsyncIterable<Entry>): Promise<Entry[]> {
  const all: Entry[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
}

/** The entries a reader gets within this many milliseconds. */
function readFor(
  ms: number,
  read: (id: string, afterSeq: number, signal: AbortSignal) => AsyncIterable<Entry>,
  id: string,
  afterSeq: number,
): Promise<Entry[]> {
  return collect(read(id, afterSeq, AbortSignal.timeout(ms)));
}
