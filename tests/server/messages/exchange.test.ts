import { randomUUID } from 'node:crypto';
import { textOf } from '@parley/schema/messages';
import { textOf as saidBy, type ScenarioName } from '@parley/scripts/fake-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, followUp, isAskedAbout, question, readAll } from '../../support/exchange.ts';
import { openTestRooms, type Person, type TestRooms } from '../../support/rooms.ts';

let rooms: TestRooms;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  rooms = await openTestRooms({ STREAM_FIRST_TIMEOUT: '1500', STREAM_IDLE_TIMEOUT: '800' });
  alice = await rooms.as('alice');
  bob = await rooms.as('bob');
});
afterAll(() => rooms.close());

describe('a question', () => {
  it('is answered, and both are saved as they were said', async () => {
    const final = await exchange(rooms, alice.id, question('Hello there'));
    expect(textOf(final.reply)).toBe('Hello there');
    expect(final.reply).toMatchObject({ finishReason: 'stop', reason: null, unfinished: false });
    const saved = await alice.api.messages.list({ conversationId: final.convo.conversationId });
    expect(saved).toEqual([final.request, final.reply]);
  });

  it('asked twice is answered once', async () => {
    const input = question('Only once, please');
    const [first, second] = await Promise.all([alice.api.messages.ask(input), alice.api.messages.ask(input)]);
    expect(second.reply.messageId).toBe(first.reply.messageId);
    await readAll(rooms, alice.id, input.generationId);
    await alice.api.messages.ask(input);
    expect(rooms.provider.requests.filter(isAskedAbout('Only once, please'))).toHaveLength(1);
  });

  it('takes the thread along', async () => {
    const first = await exchange(rooms, alice.id, question('My name is Alice.'));
    const input = followUp('What is my name?', first);
    await exchange(rooms, alice.id, input);
    const request = await rooms.provider.waitForRequest(isAskedAbout('What is my name?'), 1000);
    expect(request.body).toMatchObject({
      messages: [
        { role: 'user', content: 'My name is Alice.' },
        { role: 'assistant', content: 'My name is Alice.' },
        { role: 'user', content: 'What is my name?' },
      ],
    });
  });

  it('with NUL and lone surrogates is saved without them', async () => {
    const final = await exchange(rooms, alice.id, question('a\u0000b\ud83dc 😀'));
    expect(textOf(final.request)).toBe('ab\ufffdc 😀');
    expect(textOf(final.reply)).toBe('ab\ufffdc 😀');
  });

  it('under an unknown parent is refused', async () => {
    const first = await exchange(rooms, alice.id, question('One'));
    const target = { kind: 'send' as const, messageId: randomUUID(), parentMessageId: randomUUID(), text: 'Two' };
    const input = question('Two', { conversationId: first.convo.conversationId, target });
    await expect(alice.api.messages.ask(input)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('under a message of another conversation is refused', async () => {
    const one = await exchange(rooms, alice.id, question('One'));
    const two = await exchange(rooms, alice.id, question('Two'));
    const input = followUp('Three', { convo: one.convo, reply: two.reply });
    await expect(alice.api.messages.ask(input)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('for an endpoint or a model that is not on offer is refused', async () => {
    await expect(alice.api.messages.ask(question('Hi', { endpoint: 'nowhere' }))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(alice.api.messages.ask(question('Hi', { model: 'gpt-99' }))).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  it('with settings out of bounds is refused with a sentence', async () => {
    const input = question('Hi', { settings: { temperature: 3 } });
    await expect(alice.api.messages.ask(input)).rejects.toThrow('temperature must be a number from 0 to 2');
  });

  it('does not bring back a deleted conversation', async () => {
    const first = await exchange(rooms, alice.id, question('Soon gone'));
    await alice.api.convos.remove({ conversationId: first.convo.conversationId });
    await expect(alice.api.messages.ask(followUp('Still there?', first))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('while another is being answered in the conversation is refused', async () => {
    const running = question('Go on', { model: 'fake:never-ending' });
    const { reply, convo } = await alice.api.messages.ask(running);
    await expect(alice.api.messages.ask(followUp('Me too', { convo, reply }))).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
    });
    await alice.api.messages.abort({ generationId: running.generationId });
    // Nothing of what was refused is there.
    const saved = await alice.api.messages.list({ conversationId: convo.conversationId });
    expect(saved.map(({ messageId }) => messageId)).toEqual([reply.parentMessageId, reply.messageId]);
    expect(textOf((await exchange(rooms, alice.id, followUp('Now me', { convo, reply }))).reply)).toBe('Now me');
  });
});

describe('ids made by one user', () => {
  it('never reach the rows of another', async () => {
    const hers = await exchange(rooms, alice.id, question('Mine'));
    const place = { conversationId: hers.convo.conversationId };
    await expect(bob.api.messages.list(place)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(bob.api.convos.rename({ ...place, title: 'Taken' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await bob.api.convos.remove(place);
    const his = await exchange(rooms, bob.id, question('His own', { ...place, replyId: hers.reply.messageId }));
    expect(his.convo.conversationId).toBe(place.conversationId);
    expect(await alice.api.messages.list(place)).toEqual([hers.request, hers.reply]);
  });

  it('do not let anyone attach to or stop a generation of another', async () => {
    const input = question('Hers', { model: 'fake:never-ending' });
    await alice.api.messages.ask(input);
    await expect(readAll(rooms, bob.id, input.generationId)).rejects.toMatchObject({ reason: { type: 'not_found' } });
    expect(await bob.api.messages.abort({ generationId: input.generationId })).toBeNull();
    await expect(bob.api.messages.ask({ ...question('x'), generationId: input.generationId })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    expect(await alice.api.messages.abort({ generationId: input.generationId })).toMatchObject({ type: 'final' });
  });
});

describe('another reply', () => {
  it('stands beside the first one', async () => {
    const first = await exchange(rooms, alice.id, question('Again'));
    const input = question('', {
      conversationId: first.convo.conversationId,
      target: { kind: 'regenerate', parentMessageId: first.request.messageId },
    });
    const second = await exchange(rooms, alice.id, input);
    expect(second.reply).toMatchObject({ parentMessageId: first.request.messageId });
    expect(second.reply.messageId).not.toBe(first.reply.messageId);
    expect(await alice.api.messages.list({ conversationId: first.convo.conversationId })).toHaveLength(3);
  });
});

describe('stopping', () => {
  it('keeps what was said and closes the upstream', async () => {
    const input = question('Go on for ever', { model: 'fake:never-ending' });
    await alice.api.messages.ask(input);
    const heard = await rooms.provider.waitForRequest(isAskedAbout('Go on for ever'), 2000);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const final = await alice.api.messages.abort({ generationId: input.generationId });
    expect(final?.reply).toMatchObject({ finishReason: 'incomplete', unfinished: false, reason: null });
    expect(final && textOf(final.reply).length).toBeGreaterThan(0);
    await expect.poll(() => heard.closedEarly, { timeout: 1000 }).toBe(true);
  });

  it('before the ask has come is honoured when it comes', async () => {
    const input = question('Never mind', { model: 'fake:never-ending' });
    expect(await alice.api.messages.abort({ generationId: input.generationId })).toBeNull();
    await alice.api.messages.ask(input);
    const last = (await readAll(rooms, alice.id, input.generationId)).at(-1)?.event;
    expect(last).toMatchObject({ type: 'final', reply: { finishReason: 'incomplete' } });
  });

  it('before the first word leaves an empty reply and a usable conversation', async () => {
    const input = question('Hello?', { model: 'fake:silent' });
    await alice.api.messages.ask(input);
    const final = await alice.api.messages.abort({ generationId: input.generationId });
    expect(final?.reply).toMatchObject({ parts: [], finishReason: 'incomplete', reason: null });
    expect(final?.convo.running).toBeNull();
  });
});

describe('a failure of the provider', () => {
  const failures: [scenario: string, reason: object, partial: boolean][] = [
    ['error-401', { type: 'invalid_api_key', endpoint: 'openAI' }, false],
    ['error-403', { type: 'invalid_api_key' }, false],
    ['error-429', { type: 'provider_rate_limited', retryAfterSeconds: 7 }, false],
    ['quota', { type: 'insufficient_quota' }, false],
    ['error-500', { type: 'provider_unavailable', status: 500 }, false],
    ['error-503', { type: 'provider_unavailable', status: 503 }, false],
    ['error-404', { type: 'provider_refused', status: 404 }, false],
    ['context-too-long', { type: 'provider_refused', status: 400 }, false],
    ['html-502', { type: 'provider_unavailable', status: 502 }, false],
    ['html-200', { type: 'provider_broke_off' }, false],
    ['cut', { type: 'provider_broke_off' }, true],
    ['cut:0', { type: 'provider_unavailable' }, false],
    ['truncated', { type: 'provider_broke_off' }, true],
    ['error-midstream', { type: 'provider_unavailable' }, true],
    ['status-midstream', { type: 'provider_rate_limited' }, true],
    ['status-midstream:402', { type: 'insufficient_quota' }, true],
    ['status-midstream:502', { type: 'provider_unavailable', status: 502 }, true],
    ['malformed', { type: 'provider_malformed' }, true],
    ['stall', { type: 'provider_stalled' }, true],
    ['silent', { type: 'provider_stalled' }, false],
    ['empty', { type: 'empty_answer' }, false],
  ];

  it.each(failures)('%s ends as a message with its reason, and the chat goes on', async (scenario, reason, partial) => {
    const failed = await exchange(rooms, alice.id, question(`[[${scenario}]] please`, { model: 'gpt-4' }));
    expect(failed.reply.reason).toMatchObject(reason);
    expect(failed.reply).toMatchObject({ finishReason: 'incomplete', unfinished: false });
    expect(textOf(failed.reply).length > 0).toBe(partial);
    const next = await exchange(rooms, alice.id, followUp('Are you there?', failed));
    expect(textOf(next.reply)).toBe('Are you there?');
  });
});

describe('what a provider says', () => {
  it.each<ScenarioName>([
    'plain',
    'emoji',
    'surrogates',
    'crlf',
    'comments',
    'bytes',
    'no-done',
    'junk-after-done',
    'null-content',
    'cut-after-done',
    'markdown',
    'duplicate-final',
  ])('%s arrives and is saved byte for byte', async (scenario) => {
    const asked = 'What do you say?';
    const final = await exchange(rooms, alice.id, question(asked, { model: `fake:${scenario}` }));
    expect(textOf(final.reply)).toBe(saidBy(scenario, undefined, asked));
  });

  it('of reasoning stands apart from the answer', async () => {
    const final = await exchange(rooms, alice.id, question('Think', { model: 'fake:reasoning' }));
    expect(final.reply.parts.map((part) => part.type)).toEqual(['reasoning', 'text']);
  });

  it('of usage is kept', async () => {
    const final = await exchange(rooms, alice.id, question('Count', { model: 'fake:usage' }));
    expect(final.reply.usage?.estimated).toBeUndefined();
    expect(final.reply.usage?.output).toBeGreaterThan(0);
  });
});
