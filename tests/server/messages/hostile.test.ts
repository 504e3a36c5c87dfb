import { textOf } from '@parley/schema/messages';
import type { Scenario } from '@parley/scripts/fake-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, followUp, question } from '../../support/exchange.ts';
import { openTestRooms, type Person, type TestRooms } from '../../support/rooms.ts';

/** What PostgreSQL cannot keep. */
const NUL = '\u0000';
const HALF = '\ud83d';

let rooms: TestRooms;
let alice: Person;

beforeAll(async () => {
  rooms = await openTestRooms();
  alice = await rooms.as('alice');
});
afterAll(() => rooms.close());

describe('what cannot be stored', () => {
  it('in the words of a failure does not keep the failure from being saved', async () => {
    rooms.provider.script('dirty-refusal', refusing(`No${NUL} ${HALF}. ${'😀'.repeat(300)}`));
    const final = await exchange(rooms, alice.id, question('[[dirty-refusal]] please', { model: 'gpt-4' }));
    expect(final.reply.reason).toMatchObject({ type: 'provider_refused', status: 400 });
    expect(final.convo.running).toBeNull();
  });

  it('in the arguments of a tool call does not cost the reply', async () => {
    const call = { index: 0, id: 'call_1', name: `look${NUL}up`, pieces: ['{"a":"', NUL, HALF, '"}'] };
    rooms.provider.script('dirty-tool', {
      about: 'a tool call with NUL and half a pair',
      play: () =>
        speaking(
          [
            { type: 'text', text: 'Let me look. ' },
            { type: 'tool', call },
          ],
          'tool_calls',
        ),
    });
    const final = await exchange(rooms, alice.id, question('[[dirty-tool]] please', { model: 'gpt-4' }));
    expect(textOf(final.reply)).toBe('Let me look. ');
    expect(final.reply.parts[1]).toMatchObject({ call: { name: 'lookup', input: '{"a":"\ufffd"}' } });
  });

  it('in settings is left out', async () => {
    const settings = { promptPrefix: `Be${NUL} brief${HALF}`, stop: [`x${NUL}`] };
    const final = await exchange(rooms, alice.id, question('With settings', { settings }));
    expect(final.convo.settings).toEqual({ promptPrefix: 'Be brief\ufffd', stop: ['x'] });
  });

  it('in a title is left out', async () => {
    const { convo } = await exchange(rooms, alice.id, question('A title'));
    const { title } = await alice.api.convos.rename({ conversationId: convo.conversationId, title: `A${NUL}${HALF}` });
    expect(title).toBe('A\ufffd');
  });

  it('alone is no question', async () => {
    await expect(alice.api.messages.ask(question(` ${NUL} `))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('is all that a provider says: the chat goes on', async () => {
    rooms.provider.script('only-nul', {
      about: 'nothing but NUL',
      play: () => speaking([{ type: 'text', text: NUL }], 'stop'),
    });
    const final = await exchange(rooms, alice.id, question('[[only-nul]] please', { model: 'gpt-4' }));
    expect(final.reply).toMatchObject({ parts: [], reason: { type: 'empty_answer' } });
    expect(textOf((await exchange(rooms, alice.id, followUp('Still there?', final))).reply)).toBe('Still there?');
  });
});

function refusing(message: string): Scenario {
  const play = { kind: 'refusal' as const, status: 400, type: 'invalid_request_error', code: null, message };
  return { about: 'a refusal in dirty words', play: () => ({ ...play, headers: {} }) };
}

type Speech = Extract<ReturnType<Scenario['play']>, { kind: 'speech' }>;

function speaking(steps: Speech['steps'], finish: Speech['finish']): Speech {
  return {
    kind: 'speech',
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
