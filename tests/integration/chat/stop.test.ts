import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { earlyStops } from '@parley/db/tables/generations';
import { messageText } from '@parley/schema/messages/messages';
import { createServices } from '@parley/server/services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, followUp, isAskedAbout, question, readAll, untilText } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let alice: Person;

beforeAll(async () => {
  services = await openTestServices();
  alice = await services.as('alice');
  await exchange(services, alice.id, question('Warm up'));
});
afterAll(() => services.close());

describe('a stop', () => {
  it('takes effect at any moment around its ask', async () => {
    const moments = Array.from({ length: 24 }, (_, n) => n * 3);
    await Promise.all(
      moments.map(async (ms) => {
        const input = question(`Stop me after ${ms}`, { model: 'fake:never-ending' });
        const stopped = sleep(ms).then(() => alice.api.messages.abort({ generationId: input.generationId }));
        await sleep(20);
        await Promise.all([alice.api.messages.ask(input), stopped]);
        const last = (await readAll(services, alice.id, input.generationId)).at(-1)?.event;
        expect(last).toMatchObject({ type: 'final', reply: { finishReason: 'incomplete', reason: null } });
      }),
    );
    await expect.poll(() => services.provider.openStreams()).toBe(0);
  });

  it('takes effect while its ask is being written', async () => {
    const { sql } = services.deps.db;
    await sql`create function dawdle() returns trigger as 'begin perform pg_sleep(0.4); return new; end' language plpgsql`;
    await sql`create trigger dawdle before insert on generations for each row execute function dawdle()`;
    const input = question('Slowly written', { model: 'fake:never-ending' });
    const asked = alice.api.messages.ask(input);
    await sleep(200);
    await alice.api.messages.abort({ generationId: input.generationId });
    await asked;
    await sql`drop function dawdle cascade`;
    const entries = await readAll(services, alice.id, input.generationId);
    expect(entries.at(-1)?.event).toMatchObject({ type: 'final', reply: { finishReason: 'incomplete' } });
  });

  it('prevents the call to the provider when it comes before its ask', async () => {
    const input = question('Never said', { model: 'fake:never-ending' });
    await alice.api.messages.abort({ generationId: input.generationId });
    await exchange(services, alice.id, input);
    expect(services.provider.requests.filter(isAskedAbout('Never said'))).toEqual([]);
  });

  it('reaches the run from another process', async () => {
    const { config, secrets, db, log } = services.deps;
    const neighbour = await createServices({ config, secrets, db, log, demo: null });
    const input = question('Elsewhere', { model: 'fake:never-ending' });
    await alice.api.messages.ask(input);
    const heard = await services.provider.waitForRequest(isAskedAbout('Elsewhere'));
    const final = await neighbour.deps.askService.stop(alice.id, input.generationId);
    expect(final?.reply).toMatchObject({ finishReason: 'incomplete', unfinished: false });
    await expect.poll(() => heard.closedEarly).toBe(true);
    await neighbour.close();
  });

  it('given twice works once', async () => {
    const input = question('Stop, stop', { model: 'fake:never-ending' });
    await alice.api.messages.ask(input);
    const stop = () => alice.api.messages.abort({ generationId: input.generationId });
    const [first, second] = await Promise.all([stop(), stop()]);
    expect(first?.reply.finishReason).toBe('incomplete');
    expect(second ?? first).toEqual(first);
    expect(await stop()).toBeNull();
  });

  it('changes nothing after the end and leaves nothing behind', async () => {
    const final = await exchange(services, alice.id, question('Already over'));
    const generationId = final.reply.generationId ?? '';
    expect(await alice.api.messages.abort({ generationId })).toBeNull();
    expect(await alice.api.messages.list({ conversationId: final.convo.conversationId })).toEqual([
      final.request,
      final.reply,
    ]);
    const marks = await services.deps.db.query.select().from(earlyStops);
    expect(marks.map((mark) => mark.generationId)).not.toContain(generationId);
  });

  it('allows the next question at once, with the text so far', async () => {
    const input = question('Count to a million', { model: 'fake:never-ending' });
    await alice.api.messages.ask(input);
    await untilText(services, alice.id, input.generationId);
    const stopped = await alice.api.messages.abort({ generationId: input.generationId });
    if (!stopped) throw new Error('Nothing was running');
    const next = await exchange(services, alice.id, followUp('Enough, thanks', stopped));
    expect(next.request.parentMessageId).toBe(stopped.reply.messageId);
    const asked = await services.provider.waitForRequest(isAskedAbout('Enough, thanks'));
    expect(asked.body).toMatchObject({ messages: [{}, { content: messageText(stopped.reply) }, {}] });
  });
});

describe('deleting a conversation', () => {
  it('stops its running reply and is not undone by it', async () => {
    const input = question('Soon gone', { model: 'fake:never-ending' });
    await alice.api.messages.ask(input);
    const heard = await services.provider.waitForRequest(isAskedAbout('Soon gone'));
    await alice.api.convos.remove({ conversationId: input.conversationId });
    await expect.poll(() => heard.closedEarly).toBe(true);
    await expect(alice.api.convos.byId({ conversationId: input.conversationId })).rejects.toThrow('not_found');
    await expect(alice.api.messages.ask(input)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(alice.api.messages.ask({ ...input, generationId: randomUUID() })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});
