import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { users } from '@parley/db/tables/users';
import type { Entry } from '@parley/schema/generation/events';
import { messageText } from '@parley/schema/messages/messages';
import { END } from '@parley/server/generation/live-log';
import { lastEventSeq } from '@parley/server/chat/attach';
import { createServices, type Services } from '@parley/server/services';
import type { Timings } from '@parley/server/config/timings';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyReply, folded } from '../../contracts/generation-events.ts';
import { collectGarbage } from '../../support/collect-garbage.ts';
import { exchange, question, readAll } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
/** Another process, where an attach waits for its ask for less than a second. */
let impatient: Services;
let alice: Person;

beforeAll(async () => {
  services = await openTestServices();
  impatient = await openNeighbour({ askTimeoutMs: 800 });
  alice = await services.as('alice');
});
afterAll(async () => {
  await impatient.close();
  await services.close();
});

describe('attaching', () => {
  it('waits for the ask when it comes first', async () => {
    const input = question('I come after my reader');
    const entries = readAll(services, alice.id, input.generationId);
    await sleep(100);
    await alice.api.messages.ask(input);
    expect((await entries)[0]).toMatchObject({ seq: 1, event: { type: 'created' } });
    expect((await entries).at(-1)?.event.type).toBe('final');
  });

  it('gives the final event once after the end, whatever was read before', async () => {
    const final = await exchange(services, alice.id, question('Over and out'));
    for (const after of [0, 1, 5, 1000, END - 1])
      expect(await readAll(services, alice.id, final.reply.generationId ?? '', after)).toEqual([
        { seq: END, event: { ...final, convo: expect.objectContaining({ running: null }) } },
      ]);
    expect(await readAll(services, alice.id, final.reply.generationId ?? '', END)).toEqual([]);
  });

  it('is refused for a generation that never begins, and leaves the server responsive', async () => {
    const { id } = alice;
    const reads = Array.from({ length: 20 }, () => readAll(there(impatient), id, randomUUID()));
    await sleep(100);
    collectGarbage();
    await Promise.all(reads.map((read) => expect(read).rejects.toMatchObject({ reason: { type: 'not_found' } })));
    expect((await exchange(services, id, question('Still there?'))).reply.reason).toBeNull();
  });

  it('gets a reply whose ask takes longer than the wait for an unknown generation', async () => {
    const carol = await services.as('carol');
    const input = question('I am held up');
    let entries: Promise<Entry[]> | undefined;
    let asked: Promise<unknown> | undefined;
    // The ask waits for its user's row.
    await services.deps.db.query.transaction(async (tx) => {
      await tx.select().from(users).where(eq(users.id, carol.id)).for('update');
      asked = impatient.deps.askService.ask(carol.id, input);
      entries = readAll(there(impatient), carol.id, input.generationId);
      // A refusal counts below, not while nobody waits for it.
      entries.catch(() => undefined);
      // Longer than `impatient` waits for an unknown one.
      await sleep(1200);
    });
    await asked;
    expect((await entries)?.at(-1)?.event.type).toBe('final');
  });

  it('to a generation of another user is refused no sooner than to an unknown one', async () => {
    const bob = await services.as('bob');
    const input = question('[[tokens:600@50]] Mine alone', { model: 'gpt-4' });
    await impatient.deps.askService.ask(alice.id, input);
    const ended: string[] = [];
    // Each has two seconds on the other, whatever the machine does beside it.
    const patient = await openNeighbour({ askTimeoutMs: 4000 });
    const read = (name: string, id: string) =>
      readAll(there(patient), bob.id, id).catch((error: unknown) => (ended.push(name), error));
    const unknown = read('unknown', randomUUID());
    await sleep(2000);
    const foreign = read('foreign', input.generationId);
    expect(await foreign).toMatchObject({ reason: { type: 'not_found', what: 'generation' } });
    expect(await unknown).toMatchObject({ reason: { type: 'not_found', what: 'generation' } });
    expect(ended).toEqual(['unknown', 'foreign']);
    await patient.close();
    await impatient.deps.askService.stop(alice.id, input.generationId);
  });

  it('gives every reader the same text, however late and often it attaches', async () => {
    const neighbour = await openNeighbour();
    const input = question('[[tokens:60@10]] Everyone reads', { model: 'gpt-4' });
    await alice.api.messages.ask(input);
    const readers: Promise<Entry[]>[] = [];
    for (let n = 0; n < 12; n += 1) {
      readers.push(readAll(n % 3 === 0 ? there(neighbour) : services, alice.id, input.generationId));
      await sleep(40);
    }
    const texts = (await Promise.all(readers)).map((entries) => {
      const last = entries.at(-1)?.event;
      if (last?.type !== 'final') throw new Error('There was no final event');
      const before = entries.slice(0, -1);
      return {
        final: messageText(last.reply),
        folded: messageText(folded(before, emptyReply())),
        live: before.length > 0,
      };
    });
    for (const text of texts) expect(text.final).toBe(texts[0]?.final);
    // Who reads in the process that runs it is sent everything before the end; the database has only what was written.
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
  ])('of %j is %j', (id, seq) => {
    expect(lastEventSeq(id)).toBe(seq);
  });
});

function openNeighbour(timings: Partial<Timings> = {}): Promise<Services> {
  const { config, secrets, db, log } = services.deps;
  return createServices({ config, secrets, db, log, demo: null, timings });
}

function there({ deps }: Services): TestServices {
  return { ...services, deps };
}
