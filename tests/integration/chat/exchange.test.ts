import { randomUUID } from 'node:crypto';
import { messageText } from '@parley/schema/messages/messages';
import { scenarioText as saidBy, type ScenarioName } from '@parley/scripts/fake-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, followUp, isAskedAbout, question, readAll, untilText } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  services = await openTestServices({ STREAM_FIRST_TIMEOUT: '5000', STREAM_IDLE_TIMEOUT: '5000' });
  alice = await services.as('alice');
  bob = await services.as('bob');
});
afterAll(() => services.close());

describe('a question', () => {
  it('is answered, and both messages are saved as they were', async () => {
    const final = await exchange(services, alice.id, question('Hello there'));
    expect(messageText(final.reply)).toBe('Hello there');
    expect(final.reply).toMatchObject({ finishReason: 'stop', reason: null, unfinished: false });
    const saved = await alice.api.messages.list({ conversationId: final.convo.conversationId });
    expect(saved).toEqual([final.request, final.reply]);
  });

  it('asked twice is answered once', async () => {
    const input = question('Only once, please');
    const [first, second] = await Promise.all([alice.api.messages.ask(input), alice.api.messages.ask(input)]);
    expect(second.reply.messageId).toBe(first.reply.messageId);
    await readAll(services, alice.id, input.generationId);
    await alice.api.messages.ask(input);
    expect(services.provider.requests.filter(isAskedAbout('Only once, please'))).toHaveLength(1);
  });

  it('is sent with the thread above it', async () => {
    const first = await exchange(services, alice.id, question('My name is Alice.'));
    const input = followUp('What is my name?', first);
    await exchange(services, alice.id, input);
    const request = await services.provider.waitForRequest(isAskedAbout('What is my name?'));
    expect(request.body).toMatchObject({
      messages: [
        { role: 'user', content: 'My name is Alice.' },
        { role: 'assistant', content: 'My name is Alice.' },
        { role: 'user', content: 'What is my name?' },
      ],
    });
  });

  it('is saved without NUL and lone surrogates', async () => {
    const final = await exchange(services, alice.id, question('a\u0000b\ud83dc 😀'));
    expect(messageText(final.request)).toBe('ab\ufffdc 😀');
    expect(messageText(final.reply)).toBe('ab\ufffdc 😀');
  });

  it('is refused under an unknown parent', async () => {
    const first = await exchange(services, alice.id, question('One'));
    const target = { kind: 'send' as const, messageId: randomUUID(), parentMessageId: randomUUID(), text: 'Two' };
    const input = question('Two', { conversationId: first.convo.conversationId, target });
    await expect(alice.api.messages.ask(input)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is refused under a message of another conversation', async () => {
    const one = await exchange(services, alice.id, question('One'));
    const two = await exchange(services, alice.id, question('Two'));
    const input = followUp('Three', { convo: one.convo, reply: two.reply });
    await expect(alice.api.messages.ask(input)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is refused for an endpoint or a model that is not on offer', async () => {
    await expect(alice.api.messages.ask(question('Hi', { endpoint: 'nowhere' }))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(alice.api.messages.ask(question('Hi', { model: 'gpt-99' }))).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  it('is refused with a sentence when settings are out of bounds', async () => {
    const input = question('Hi', { settings: { temperature: 3 } });
    await expect(alice.api.messages.ask(input)).rejects.toThrow('temperature must be a number from 0 to 2');
  });

  it('does not restore a deleted conversation', async () => {
    const first = await exchange(services, alice.id, question('Soon gone'));
    await alice.api.convos.remove({ conversationId: first.convo.conversationId });
    await expect(alice.api.messages.ask(followUp('Still there?', first))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is refused while the conversation has a running reply', async () => {
    const running = question('Go on', { model: 'fake:never-ending' });
    const { reply, convo } = await alice.api.messages.ask(running);
    await expect(alice.api.messages.ask(followUp('Me too', { convo, reply }))).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
    });
    await alice.api.messages.abort({ generationId: running.generationId });
    // Nothing of what was refused is there.
    const saved = await alice.api.messages.list({ conversationId: convo.conversationId });
    expect(saved.map(({ messageId }) => messageId)).toEqual([reply.parentMessageId, reply.messageId]);
    expect(messageText((await exchange(services, alice.id, followUp('Now me', { convo, reply }))).reply)).toBe(
      'Now me',
    );
  });
});

describe('ids made by one user', () => {
  it('never reach the rows of another', async () => {
    const hers = await exchange(services, alice.id, question('Mine'));
    const convoRef = { conversationId: hers.convo.conversationId };
    await expect(bob.api.messages.list(convoRef)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(bob.api.convos.rename({ ...convoRef, title: 'Taken' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await bob.api.convos.remove(convoRef);
    const his = await exchange(services, bob.id, question('His own', { ...convoRef, replyId: hers.reply.messageId }));
    expect(his.convo.conversationId).toBe(convoRef.conversationId);
    expect(await alice.api.messages.list(convoRef)).toEqual([hers.request, hers.reply]);
  });

  it('do not let anyone stop or repeat a generation of another', async () => {
    const input = question('Hers', { model: 'fake:never-ending' });
    await alice.api.messages.ask(input);
    expect(await bob.api.messages.abort({ generationId: input.generationId })).toBeNull();
    await expect(bob.api.messages.ask({ ...question('x'), generationId: input.generationId })).rejects.toMatchObject({
      code: 'UNPROCESSABLE_CONTENT',
    });
    expect(await alice.api.messages.abort({ generationId: input.generationId })).toMatchObject({ type: 'final' });
  });
});

describe('a regenerated reply', () => {
  it('stands beside the first one', async () => {
    const first = await exchange(services, alice.id, question('Again'));
    const input = question('', {
      conversationId: first.convo.conversationId,
      target: { kind: 'regenerate', parentMessageId: first.request.messageId },
    });
    const second = await exchange(services, alice.id, input);
    expect(second.reply).toMatchObject({ parentMessageId: first.request.messageId });
    expect(second.reply.messageId).not.toBe(first.reply.messageId);
    expect(await alice.api.messages.list({ conversationId: first.convo.conversationId })).toHaveLength(3);
  });
});

describe('stopping', () => {
  it('keeps the text and closes the connection to the provider', async () => {
    const input = question('Go on for ever', { model: 'fake:never-ending' });
    await alice.api.messages.ask(input);
    const heard = await services.provider.waitForRequest(isAskedAbout('Go on for ever'));
    await untilText(services, alice.id, input.generationId);
    const final = await alice.api.messages.abort({ generationId: input.generationId });
    expect(final?.reply).toMatchObject({ finishReason: 'incomplete', unfinished: false, reason: null });
    expect(final && messageText(final.reply).length).toBeGreaterThan(0);
    await expect.poll(() => heard.closedEarly).toBe(true);
  });

  it('takes effect when the ask arrives later', async () => {
    const input = question('Never mind', { model: 'fake:never-ending' });
    expect(await alice.api.messages.abort({ generationId: input.generationId })).toBeNull();
    await alice.api.messages.ask(input);
    const last = (await readAll(services, alice.id, input.generationId)).at(-1)?.event;
    expect(last).toMatchObject({ type: 'final', reply: { finishReason: 'incomplete' } });
  });

  it('leaves an empty reply and a usable conversation before the first word', async () => {
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
    ['error-403', { type: 'provider_refused', status: 403 }, false],
    ['error-429', { type: 'provider_rate_limited', retryAfterSeconds: 7 }, false],
    ['quota', { type: 'insufficient_quota' }, false],
    ['error-500', { type: 'provider_unavailable', status: 500 }, false],
    ['error-503', { type: 'provider_unavailable', status: 503 }, false],
    ['error-404', { type: 'provider_refused', status: 404 }, false],
    ['context-too-long', { type: 'context_too_long', tokens: 9001, window: 8192 }, false],
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

  it.each(failures)(
    '%s ends as a message with its reason, and the conversation continues',
    async (scenario, reason, partial) => {
      const failed = await exchange(services, alice.id, question(`[[${scenario}]] please`, { model: 'gpt-4' }));
      expect(failed.reply.reason).toMatchObject(reason);
      expect(failed.reply).toMatchObject({ finishReason: 'incomplete', unfinished: false });
      expect(messageText(failed.reply).length > 0).toBe(partial);
      const next = await exchange(services, alice.id, followUp('Are you there?', failed));
      expect(messageText(next.reply)).toBe('Are you there?');
    },
  );
});

describe('the output of a provider', () => {
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
  ])('%s is saved byte for byte', async (scenario) => {
    const asked = 'What do you say?';
    const final = await exchange(services, alice.id, question(asked, { model: `fake:${scenario}` }));
    expect(final.reply.reason).toBeNull();
    expect(messageText(final.reply)).toBe(saidBy(scenario, undefined, asked));
  });

  it('stores reasoning apart from the reply', async () => {
    const final = await exchange(services, alice.id, question('Think', { model: 'fake:reasoning' }));
    expect(final.reply.parts.map((part) => part.type)).toEqual(['reasoning', 'text']);
  });

  it('stores usage', async () => {
    const final = await exchange(services, alice.id, question('Count', { model: 'fake:usage' }));
    expect(final.reply.usage?.estimated).toBeUndefined();
    expect(final.reply.usage?.output).toBeGreaterThan(0);
  });
});
