import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Entry } from '@parley/schema/events';
import { textOf } from '@parley/schema/messages';
import { END } from '@parley/server/generation/log';
import { seqOf } from '@parley/server/messages/router';
import { openRooms } from '@parley/server/rooms';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyReply, folded } from '../../contracts/generation-events.ts';
import { collectGarbage } from '../../support/collect-garbage.ts';
import { exchange, question, readAll } from '../../support/exchange.ts';
import { openTestRooms, type Person, type TestRooms } from '../../support/rooms.ts';

let rooms: TestRooms;
let alice: Person;

beforeAll(async () => {
  rooms = await openTestRooms();
  alice = await rooms.as('alice');
});
afterAll(() => rooms.close());

describe('attaching', () => {
  it('before the ask waits for it', async () => {
    const input = question('I come after my reader');
    const entries = readAll(rooms, alice.id, input.generationId);
    await sleep(100);
    await alice.api.messages.ask(input);
    expect((await entries)[0]).toMatchObject({ seq: 1, event: { type: 'created' } });
    expect((await entries).at(-1)?.event.type).toBe('final');
  });

  it('to one that has ended gives its end, once, whatever was seen before', async () => {
    const final = await exchange(rooms, alice.id, question('Over and out'));
    for (const after of [0, 1, 5, 1000, END - 1])
      expect(await readAll(rooms, alice.id, final.reply.generationId ?? '', after)).toEqual([
        { seq: END, event: { ...final, convo: expect.objectContaining({ running: null }) } },
      ]);
    expect(await readAll(rooms, alice.id, final.reply.generationId ?? '', END)).toEqual([]);
  });

  it('to one that never comes is refused, and leaves the server its breath', async () => {
    const { id } = alice;
    const reads = Array.from({ length: 20 }, () => readAll(rooms, id, randomUUID()));
    await sleep(1000);
    collectGarbage();
    for (const read of reads) await expect(read).rejects.toMatchObject({ reason: { type: 'not_found' } });
    expect((await exchange(rooms, id, question('Still there?'))).reply.reason).toBeNull();
  }, 40_000);

  it('late, often and everywhere gives the same text', async () => {
    const { config, secrets, db, log } = rooms.deps;
    const neighbour = await openRooms({ config, secrets, db, log, demo: null });
    const there = { ...rooms, deps: neighbour.deps };
    const input = question('[[tokens:60@10]] Everyone reads', { model: 'gpt-4' });
    await alice.api.messages.ask(input);
    const readers: Promise<Entry[]>[] = [];
    for (let n = 0; n < 12; n += 1) {
      readers.push(readAll(n % 3 === 0 ? there : rooms, alice.id, input.generationId));
      await sleep(40);
    }
    const texts = (await Promise.all(readers)).map((entries) => {
      const last = entries.at(-1)?.event;
      if (last?.type !== 'final') throw new Error('There was no final event');
      const before = entries.slice(0, -1);
      return { final: textOf(last.reply), folded: textOf(folded(before, emptyReply())), live: before.length > 0 };
    });
    for (const text of texts) expect(text.final).toBe(texts[0]?.final);
    // Who reads in the process that runs it is told everything before the end; the database tells only what it has.
    for (const text of texts.filter(({ live }) => live)) expect(text.final.startsWith(text.folded)).toBe(true);
    expect(texts[1]?.folded).toBe(texts[1]?.final);
    await neighbour.close();
  });
});

describe('the number of an event id', () => {
  it.each([
    ['0', 0],
    ['17', 17],
    [String(END), END],
    [null, 0],
    [undefined, 0],
    ['', 0],
    ['-1', 0],
    ['1e3', 0],
    ['garbage', 0],
    ['9999999999', 0],
    ['99999999999999999999', 0],
  ])('%j is %j', (id, seq) => {
    expect(seqOf(id)).toBe(seq);
  });
});
