import { randomUUID } from 'node:crypto';
import type { Entry } from '@parley/schema/generation/events';
import { fold } from '@parley/schema/generation/fold';
import { compactEntries } from '@parley/server/generation/entries';
import { createLog } from '@parley/server/generation/log';
import type { LogStore } from '@parley/server/generation/log-store';
import { createReplyBuilder } from '@parley/server/generation/reply-builder';
import { tail } from '@parley/server/generation/tail';
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

it('an incrementally built reply equals the folded one', () => {
  const builder = createReplyBuilder(start);
  const events = [
    ...words(600).map(({ event }) => event),
    { type: 'usage' as const, input: 3, output: 600 },
    { type: 'part' as const, part: 1, value: { type: 'text' as const, text: 'another' } },
    { type: 'text' as const, part: 1, offset: 7, text: ' part' },
  ];
  for (const event of events) builder.add(event);
  expect(builder.reply()).toEqual(events.reduce((reply, event) => fold(reply, event), start));
});

it('a growing reply is copied about once, however long it gets', () => {
  const events = words(20_000).map(({ event }) => event);
  const length = events.reduce((sum, event) => sum + ('text' in event ? event.text.length : 0), 0);
  const charCodeAt = String.prototype.charCodeAt;
  let flattened = 0;
  // Reading a character is what makes a text of many pieces one.
  String.prototype.charCodeAt = function (this: string, index: number) {
    flattened += this.length;
    return charCodeAt.call(this, index);
  };
  try {
    const builder = createReplyBuilder(start);
    for (const event of events) builder.add(event);
  } finally {
    String.prototype.charCodeAt = charCodeAt;
  }
  expect(flattened).toBeLessThanOrEqual(length);
});
