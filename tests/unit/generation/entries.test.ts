import { randomUUID } from 'node:crypto';
import type { Entry } from '@parley/schema/generation/events';
import { fold } from '@parley/schema/generation/fold';
import { compactEntries, mergeEntries } from '@parley/server/generation/live-log';
import { tail, createLog } from '@parley/server/generation/log';
import type { LogStore } from '@parley/server/generation/log-store';
import { expect, it } from 'vitest';
import { emptyReply, text } from '../../contracts/generation-events.ts';

const start = emptyReply();

const accepting: LogStore = {
  write: async (batches) => new Map(batches.map(({ generationId }) => [generationId, 'ours'])),
};

function words(count: number): Entry[] {
  let offset = 0;
  return Array.from({ length: count }, (_, n) => {
    const word = `word ${n} `;
    const entry = { seq: n + 1, event: text(offset, word) };
    offset += word.length;
    return entry;
  });
}

it('a compacted log has few entries and the same text', () => {
  const entries = words(5000);
  const compact = compactEntries(entries);
  const foldAll = (all: readonly Entry[]) => all.reduce((reply, { event }) => fold(reply, event), start);
  expect(compact.length).toBeLessThan(10);
  expect(compact.at(-1)?.seq).toBe(5000);
  expect(foldAll(compact)).toEqual(foldAll(entries));
});

it('the log of a long reply has few entries, and readers at any cursor get the whole text', async () => {
  const log = createLog(accepting, () => undefined);
  const generationId = randomUUID();
  log.open({ generationId, userId: randomUUID(), epoch: 1 }, () => undefined);
  const entries = words(400);
  const whole = entries.reduce((reply, { event }) => fold(reply, event), start);
  for (const { event } of entries) {
    log.append(generationId, event);
    await log.drain();
  }
  const live = log.find(generationId);
  if (!live) throw new Error('The generation is not live');
  expect(live.entries.length).toBeLessThan(70);
  log.end(generationId, null);
  for (const cursor of [0, 1, 57, 200, 399]) {
    let reply = entries.slice(0, cursor).reduce((before, { event }) => fold(before, event), start);
    for await (const { event } of tail(live, cursor, AbortSignal.timeout(1000))) reply = fold(reply, event);
    expect(reply).toEqual(whole);
  }
});

it('the entries of a log, partly written and compacted, fold to the reply', async () => {
  const log = createLog(accepting, () => undefined);
  const generationId = randomUUID();
  log.open({ generationId, userId: randomUUID(), epoch: 1 }, () => undefined);
  const events = [
    ...words(600).map(({ event }) => event),
    { type: 'usage' as const, input: 3, output: 600 },
    { type: 'part' as const, part: 1, value: { type: 'text' as const, text: 'another' } },
    { type: 'text' as const, part: 1, offset: 7, text: ' part' },
  ];
  for (const [n, event] of events.entries()) {
    log.append(generationId, event);
    if (n % 5 === 0) await log.drain();
  }
  const merged = mergeEntries(log.find(generationId)?.entries ?? []);
  expect(merged).toHaveLength(4);
  const foldAll = (all: typeof events) => all.reduce((reply, event) => fold(reply, event), start);
  expect(merged.reduce((reply, { event }) => fold(reply, event), start)).toEqual(foldAll(events));
});
