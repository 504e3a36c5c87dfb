import { randomUUID } from 'node:crypto';
import { generationEvents, generations } from '@parley/db/tables/generations';
import { messages } from '@parley/db/tables/messages';
import { fold } from '@parley/schema/generation/fold';
import { messageText, type Message } from '@parley/schema/messages/messages';
import { recoverExpiredRuns } from '@parley/server/chat/recovery';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { exchange, followUp, isAskedAbout, question, readAll } from '../../support/exchange.ts';
import { withServices } from '../../support/services.ts';
import { another, continuation, edition } from './asks.ts';

/** What `fake:length` sends before it ends at its limit. */
const PARTIAL = 'This answer was going to be much longer, but';

const given = withServices();

describe('continuing a reply', () => {
  it('adds text to the same reply', async () => {
    const first = await exchange(given.services, given.alice.id, question('Go on then', { model: 'fake:length' }));
    const final = await exchange(given.services, given.alice.id, continuation(first));
    expect(final.reply.messageId).toBe(first.reply.messageId);
    expect(messageText(final.reply)).toBe(`${PARTIAL} Go on then`);
    expect(final.reply).toMatchObject({ finishReason: 'stop', unfinished: false, seq: first.reply.seq });
    expect(await list(first)).toEqual([first.request, final.reply]);
  });

  it('sends the question and the text so far to the provider', async () => {
    const before = await exchange(given.services, given.alice.id, question('My name is Alice.'));
    const first = await exchange(
      given.services,
      given.alice.id,
      followUp('Tell me all of it', before, { model: 'fake:length' }),
    );
    await exchange(given.services, given.alice.id, continuation(first));
    const asked = given.services.provider.requests.filter(isAskedAbout('Tell me all of it')).at(-1);
    expect(asked?.body).toMatchObject({
      messages: [
        { role: 'user', content: 'My name is Alice.' },
        { role: 'assistant', content: 'My name is Alice.' },
        { role: 'user', content: 'Tell me all of it' },
        { role: 'assistant', content: PARTIAL },
      ],
    });
  });

  it('begins for its readers with the text so far, and logs only the new text', async () => {
    const first = await exchange(given.services, given.alice.id, question('Readers', { model: 'fake:length' }));
    const input = continuation(first, { model: 'fake:never-ending' });
    const asked = await given.alice.api.messages.ask(input);
    expect(asked.reply).toMatchObject({ parts: [{ text: PARTIAL }], unfinished: true, finishReason: null });
    await expect.poll(() => storedText(input.generationId)).not.toBe('');
    expect(await storedText(input.generationId)).not.toContain(PARTIAL);
    const whileRunning = (await list(first)).at(-1);
    expect(whileRunning && messageText(whileRunning).startsWith(PARTIAL)).toBe(true);
    const final = await given.alice.api.messages.abort({ generationId: input.generationId });
    const entries = await readAll(given.services, given.alice.id, input.generationId);
    // The conversation may get its title meanwhile.
    expect(entries.at(-1)?.event).toEqual({
      ...final,
      convo: expect.objectContaining({ conversationId: first.convo.conversationId }),
    });
  });

  it('gives every reader the same text', async () => {
    const first = await exchange(given.services, given.alice.id, question('Fold me', { model: 'fake:length' }));
    const input = continuation(first, { model: 'fake:emoji' });
    const asked = await given.alice.api.messages.ask(input);
    let told: Message = asked.reply;
    for (const { event } of await readAll(given.services, given.alice.id, input.generationId)) {
      if (event.type === 'final') expect(messageText(told)).toBe(messageText(event.reply));
      told = fold(told, event);
    }
    expect(messageText(told).startsWith(PARTIAL)).toBe(true);
  });

  it('keeps the whole text when it is stopped, and can be repeated', async () => {
    const first = await exchange(given.services, given.alice.id, question('Stop and go', { model: 'fake:length' }));
    let text = PARTIAL;
    for (let round = 0; round < 3; round += 1) {
      const input = continuation(first, { model: 'fake:never-ending' });
      await given.alice.api.messages.ask(input);
      const longer = async () => messageText((await list(first)).at(-1) ?? { parts: [] }).length;
      await expect.poll(longer).toBeGreaterThan(text.length);
      const final = await given.alice.api.messages.abort({ generationId: input.generationId });
      const kept = final ? messageText(final.reply) : '';
      expect(kept.startsWith(text) && kept.length > text.length).toBe(true);
      expect(final?.reply).toMatchObject({ finishReason: 'incomplete', reason: null });
      text = kept;
    }
  });

  it('keeps the text so far when it fails, and stores the reason', async () => {
    const first = await exchange(given.services, given.alice.id, question('In vain', { model: 'fake:length' }));
    const final = await exchange(given.services, given.alice.id, continuation(first, { model: 'fake:error-500' }));
    expect(messageText(final.reply)).toBe(PARTIAL);
    expect(final.reply).toMatchObject({ reason: { type: 'provider_unavailable' }, finishReason: 'incomplete' });
    const again = await exchange(given.services, given.alice.id, continuation(first));
    expect(again.reply).toMatchObject({ reason: null, finishReason: 'stop' });
  });

  it('keeps the text so far and the log when the process dies', async () => {
    const first = await exchange(given.services, given.alice.id, question('Dies twice', { model: 'fake:length' }));
    const input = continuation(first, { model: 'fake:silent' });
    await given.alice.api.messages.ask(input);
    await abandon(input.generationId);
    const offset = PARTIAL.length;
    const event = { type: 'text' as const, part: 0, offset, text: ' it broke' };
    await given.services.deps.db.query
      .insert(generationEvents)
      .values({ generationId: input.generationId, seq: 50, event });
    await recoverExpiredRuns(given.services.deps.db, randomUUID());
    await expect.poll(async () => (await list(first)).at(-1)?.finishReason).toBe('incomplete');
    const reply = (await list(first)).at(-1);
    expect(reply && messageText(reply)).toBe(`${PARTIAL} it broke`);
    expect(reply).toMatchObject({ unfinished: true, reason: { type: 'interrupted' }, usage: { estimated: true } });
    expect(reply?.usage?.output).toBeGreaterThanOrEqual(first.reply.usage?.output ?? 0);
  });

  it('adds up the usage, and charges each run for its own', async () => {
    const first = await exchange(given.services, given.alice.id, question('Count me', { model: 'fake:length' }));
    const input = continuation(first, { model: 'fake:usage' });
    const final = await exchange(given.services, given.alice.id, input);
    const own = await generation(input.generationId);
    const before = first.reply.usage;
    expect(before?.output).toBeGreaterThan(0);
    expect(own?.usage?.output).toBeGreaterThan(0);
    expect(final.reply.usage?.output).toBe((before?.output ?? 0) + (own?.usage?.output ?? 0));
    expect(final.reply.usage?.input).toBe((before?.input ?? 0) + (own?.usage?.input ?? 0));
  });

  it('counts only the new text without reported usage', async () => {
    const first = await exchange(given.services, given.alice.id, question('Guess me', { model: 'fake:length' }));
    const input = continuation(first, { model: 'fake:no-usage' });
    const final = await exchange(given.services, given.alice.id, input);
    const added = Buffer.byteLength(messageText(final.reply)) - Buffer.byteLength(PARTIAL);
    expect((await generation(input.generationId))?.usage).toEqual({
      input: final.reply.context?.tokens,
      output: Math.ceil(added / 4),
      estimated: true,
    });
  });

  it('answers the question from the start when the reply has no text, in the same place', async () => {
    const failed = await exchange(given.services, given.alice.id, question('Nothing yet', { model: 'fake:error-500' }));
    const final = await exchange(given.services, given.alice.id, continuation(failed));
    expect(final.reply.messageId).toBe(failed.reply.messageId);
    expect(messageText(final.reply)).toBe('Nothing yet');
  });

  it('twice at once runs once', async () => {
    const first = await exchange(given.services, given.alice.id, question('Just once more', { model: 'fake:length' }));
    const input = continuation(first);
    await Promise.all([given.alice.api.messages.ask(input), given.alice.api.messages.ask(input)]);
    await readAll(given.services, given.alice.id, input.generationId);
    await given.alice.api.messages.ask(input);
    expect(messageText((await list(first)).at(-1) ?? { parts: [] })).toBe(`${PARTIAL} Just once more`);
    expect(given.services.provider.requests.filter(isAskedAbout('Just once more'))).toHaveLength(2);
  });

  it('works without a question above the reply', async () => {
    const first = await exchange(given.services, given.alice.id, question('Gone question', { model: 'fake:length' }));
    const { conversationId } = first.convo;
    await given.alice.api.messages.remove({ conversationId, messageId: first.request.messageId });
    const final = await exchange(given.services, given.alice.id, continuation(first, { model: 'fake:plain' }));
    expect(messageText(final.reply).startsWith(PARTIAL)).toBe(true);
    expect(final.request.messageId).toBe(first.reply.messageId);
    expect(await list(first)).toEqual([final.reply]);
  });
});

describe('continuing is refused', () => {
  it('when the reply is complete', async () => {
    const first = await exchange(given.services, given.alice.id, question('All said'));
    await expect(given.alice.api.messages.ask(continuation(first))).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('for a question, a missing message or a wrong id', async () => {
    const first = await exchange(given.services, given.alice.id, question('Who asks', { model: 'fake:length' }));
    const { messageId } = first.request;
    const asQuestion = continuation(first, { replyId: messageId, target: { kind: 'continue', messageId } });
    await expect(given.alice.api.messages.ask(asQuestion)).rejects.toMatchObject({ code: 'CONFLICT' });
    const unknown = randomUUID();
    const toNothing = continuation(first, { replyId: unknown, target: { kind: 'continue', messageId: unknown } });
    await expect(given.alice.api.messages.ask(toNothing)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const elsewhere = continuation(first, { replyId: randomUUID() });
    await expect(given.alice.api.messages.ask(elsewhere)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await list(first)).toEqual([first.request, first.reply]);
  });

  it('when the endpoint cannot continue', async () => {
    const first = await exchange(given.services, given.alice.id, question('From elsewhere', { model: 'fake:length' }));
    await given.services.deps.db.query
      .update(messages)
      .set({ endpointType: 'bingAI' })
      .where(eq(messages.id, first.reply.messageId));
    await expect(given.alice.api.messages.ask(continuation(first))).rejects.toMatchObject({ code: 'CONFLICT' });
    await given.services.deps.db
      .sql`update messages set endpoint_type = 'unheard-of' where id = ${first.reply.messageId}`;
    await expect(given.alice.api.messages.ask(continuation(first))).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('while it is being written', async () => {
    const input = question('Busy', { model: 'fake:never-ending' });
    const { convo, reply } = await given.alice.api.messages.ask(input);
    await expect(given.alice.api.messages.ask(continuation({ convo, reply }))).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
    });
    await given.alice.api.messages.abort({ generationId: input.generationId });
  });
});

describe('continuing an edited answer', () => {
  it('adds a sibling that begins with the edited text', async () => {
    const first = await exchange(given.services, given.alice.id, question('Make it better'));
    const final = await exchange(given.services, given.alice.id, edition('Better: ', first));
    expect(messageText(final.reply)).toBe('Better: Make it better');
    expect(final.reply).toMatchObject({ parentMessageId: first.request.messageId, isEdited: true });
    expect(await list(first)).toEqual([first.request, first.reply, final.reply]);
    const asked = given.services.provider.requests.filter(isAskedAbout('Make it better')).at(-1);
    expect(asked?.body).toMatchObject({
      messages: [
        { role: 'user', content: 'Make it better' },
        { role: 'assistant', content: 'Better: ' },
      ],
    });
  });

  it('puts a space between the edited text and the new text, for readers, database and model', async () => {
    const first = await exchange(given.services, given.alice.id, question('Hello!'));
    const input = edition('Edited beginning', first);
    const asked = await given.alice.api.messages.ask(input);
    let told: Message = asked.reply;
    for (const { event } of await readAll(given.services, given.alice.id, input.generationId)) {
      if (event.type === 'final') expect(messageText(told)).toBe(messageText(event.reply));
      told = fold(told, event);
    }
    expect(messageText(told)).toBe('Edited beginning Hello!');
    expect((await list(first)).at(-1)).toEqual(told);
    await exchange(given.services, given.alice.id, followUp('What did you say?', { convo: first.convo, reply: told }));
    const heard = given.services.provider.requests.filter(isAskedAbout('What did you say?')).at(-1);
    expect(heard?.body).toMatchObject({
      messages: [{}, { role: 'assistant', content: 'Edited beginning Hello!' }, {}],
    });
  });

  it('twice at once creates one', async () => {
    const first = await exchange(given.services, given.alice.id, question('One more beside'));
    const input = edition('Once: ', first);
    await Promise.all([given.alice.api.messages.ask(input), given.alice.api.messages.ask(input)]);
    await readAll(given.services, given.alice.id, input.generationId);
    expect(await list(first)).toHaveLength(3);
  });

  it('is refused for a question, and when the endpoint allows no editing', async () => {
    const first = await exchange(given.services, given.alice.id, question('Not so'));
    const target = { kind: 'edit' as const, messageId: first.request.messageId, text: 'So' };
    await expect(given.alice.api.messages.ask(edition('So', first, { target }))).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    await given.services.deps.db.query
      .update(messages)
      .set({ endpointType: 'assistants' })
      .where(eq(messages.id, first.reply.messageId));
    await expect(given.alice.api.messages.ask(edition('So', first))).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('saves it without NUL and lone surrogates', async () => {
    const first = await exchange(given.services, given.alice.id, question('Clean'));
    const final = await exchange(given.services, given.alice.id, edition('a\u0000b\ud83d ', first));
    expect(messageText(final.reply)).toBe('ab\ufffd Clean');
  });
});

describe('an archived conversation', () => {
  it('returns to the list when a question is asked in it', async () => {
    const first = await exchange(given.services, given.alice.id, question('Archive me'));
    const { conversationId } = first.convo;
    await given.alice.api.convos.update({ conversationId, isArchived: true });
    const final = await exchange(given.services, given.alice.id, another(first));
    expect(final.convo.isArchived).toBe(false);
  });
});

async function list({ convo }: { convo: { conversationId: string } }): Promise<Message[]> {
  return given.alice.api.messages.list({ conversationId: convo.conversationId });
}

async function generation(id: string) {
  const [row] = await given.services.deps.db.query.select().from(generations).where(eq(generations.id, id));
  return row;
}

/** What the log in the database contains of text. */
async function storedText(generationId: string): Promise<string> {
  const rows = await given.services.deps.db.query
    .select()
    .from(generationEvents)
    .where(eq(generationEvents.generationId, generationId));
  return rows.map(({ event }) => (event.type === 'text' ? event.text : '')).join('');
}

/** Takes a run from its living process, as if its lease had ended long ago. */
async function abandon(generationId: string): Promise<void> {
  const { query } = given.services.deps.db;
  await query.update(generations).set({ owner: randomUUID() }).where(eq(generations.id, generationId));
  await expect.poll(() => given.services.provider.openStreams()).toBe(0);
  await query.delete(generationEvents).where(eq(generationEvents.generationId, generationId));
  const leaseUntil = sql`now() - interval '1 second'`;
  await query.update(generations).set({ leaseUntil }).where(eq(generations.id, generationId));
}
