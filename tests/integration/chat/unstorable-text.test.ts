import { messageText } from '@parley/schema/messages/messages';
import type { Scenario } from '@parley/scripts/fake-provider';
import { describe, expect, it } from 'vitest';
import { exchange, followUp, question } from '../../support/exchange.ts';
import { withServices } from '../../support/services.ts';

/** What PostgreSQL cannot keep. */
const NUL = '\u0000';
const HALF = '\ud83d';

const given = withServices();

describe('text that cannot be stored', () => {
  it('is removed from the message of a failure', async () => {
    given.services.provider.script('dirty-refusal', refusing(`No${NUL} ${HALF}. ${'😀'.repeat(300)}`));
    const final = await exchange(
      given.services,
      given.alice.id,
      question('[[dirty-refusal]] please', { model: 'gpt-4' }),
    );
    expect(final.reply.reason).toMatchObject({ type: 'provider_refused', status: 400 });
    expect(final.convo.running).toBeNull();
  });

  it('is removed from the arguments of a tool call', async () => {
    const call = { index: 0, id: 'call_1', name: `look${NUL}up`, pieces: ['{"a":"', NUL, HALF, '"}'] };
    given.services.provider.script('dirty-tool', {
      about: 'a tool call with NUL and half a pair',
      script: () =>
        streaming(
          [
            { type: 'text', text: 'Let me look. ' },
            { type: 'tool', call },
          ],
          'tool_calls',
        ),
    });
    const final = await exchange(given.services, given.alice.id, question('[[dirty-tool]] please', { model: 'gpt-4' }));
    expect(messageText(final.reply)).toBe('Let me look. ');
    expect(final.reply.parts[1]).toMatchObject({ call: { name: 'lookup', input: '{"a":"\ufffd"}' } });
  });

  it('is removed from settings', async () => {
    const settings = { promptPrefix: `Be${NUL} brief${HALF}`, stop: [`x${NUL}`] };
    const final = await exchange(given.services, given.alice.id, question('With settings', { settings }));
    expect(final.convo.settings).toEqual({ promptPrefix: 'Be brief\ufffd', stop: ['x'] });
  });

  it('is removed from a title', async () => {
    const { convo } = await exchange(given.services, given.alice.id, question('A title'));
    const { title } = await given.alice.api.convos.rename({
      conversationId: convo.conversationId,
      title: `A${NUL}${HALF}`,
    });
    expect(title).toBe('A\ufffd');
  });

  it('is no question by itself', async () => {
    await expect(given.alice.api.messages.ask(question(` ${NUL} `))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('may be the whole output of a provider: the conversation continues', async () => {
    given.services.provider.script('only-nul', {
      about: 'nothing but NUL',
      script: () => streaming([{ type: 'text', text: NUL }], 'stop'),
    });
    const final = await exchange(given.services, given.alice.id, question('[[only-nul]] please', { model: 'gpt-4' }));
    expect(final.reply).toMatchObject({ parts: [], reason: { type: 'empty_answer' } });
    expect(messageText((await exchange(given.services, given.alice.id, followUp('Still there?', final))).reply)).toBe(
      'Still there?',
    );
  });
});

function refusing(message: string): Scenario {
  const play = { kind: 'refusal' as const, status: 400, type: 'invalid_request_error', code: null, message };
  return { about: 'a refusal in dirty words', script: () => ({ ...play, headers: {} }) };
}

type StreamScript = Extract<ReturnType<Scenario['script']>, { kind: 'stream' }>;

function streaming(steps: StreamScript['steps'], finish: StreamScript['finish']): StreamScript {
  return {
    kind: 'stream',
    steps,
    finish,
    pace: { every: 0, count: 1 },
    delay: 0,
    usage: 'asked',
    done: true,
    repeatsText: false,
    framing: { lineEnd: '\n', slices: 'whole', dressed: false },
    after: [],
  };
}
