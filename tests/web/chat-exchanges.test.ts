// @vitest-environment happy-dom
import type { FinalEvent } from '@parley/schema/events';
import { textOf } from '@parley/schema/messages';
import type { Reason } from '@parley/schema/reasons';
import { createStore } from 'jotai';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { exchangesAtom, findExchange, listExchanges } from '../../web/src/chat/exchanges/exchange.ts';
import { createExchanges, type Exchanges } from '../../web/src/chat/exchanges/exchanges.ts';
import { createOutbox } from '../../web/src/chat/exchanges/outbox.ts';
import { prepareContinue, prepareRegenerate, prepareSend, type Asking } from '../../web/src/chat/exchanges/send.ts';
import { convo, gpt, message } from './chat-people.ts';
import { createScriptedWire, refusal, silence, type ScriptedWire } from './chat-scripted-wire.ts';

let wire: ScriptedWire;
let exchanges: Exchanges;
let store: ReturnType<typeof createStore>;
let settled: FinalEvent[];
let givenBack: Asking[];
let hasRoom: boolean;
let stopFailures: number;
let refusedReadings: Reason[];

const outbox = createOutbox('alice');

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
  wire = createScriptedWire();
  store = createStore();
  settled = [];
  givenBack = [];
  hasRoom = true;
  stopFailures = 0;
  refusedReadings = [];
  exchanges = createExchanges({
    wire,
    store,
    outbox,
    settle: async (event) => void settled.push(event),
    onConvo: () => {},
    refresh: () => {},
    giveBack: (asking) => {
      if (hasRoom) givenBack.push(asking);
      return hasRoom;
    },
    onEnded: () => {},
    onStopFailed: () => void stopFailures++,
    onReadingRefused: (reason) => void refusedReadings.push(reason),
  });
});

afterEach(() => {
  exchanges.close();
  vi.useRealTimers();
});

/** Lets whatever is due within `ms` happen. */
async function pass(ms = 50): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}

function send(text = 'Three days in Lisbon?', conversationId = 'lisbon'): Asking {
  const asking = prepareSend(conversationId, null, text, gpt);
  exchanges.send(asking);
  return asking;
}

/** As an earlier visit left it. */
function putIntoOutbox(asking: Asking, refused?: Reason): Asking {
  outbox.put(asking, refused);
  return asking;
}

function asked({ ask, request, reply }: Asking) {
  return {
    generationId: ask.generationId,
    request: { ...request, seq: 1 },
    reply: { ...reply, seq: 2 },
    convo: convo({ conversationId: ask.conversationId, running: ask.generationId }),
  };
}

function finalOf({ ask, request, reply }: Asking, text: string): FinalEvent {
  return {
    type: 'final',
    request: { ...request, seq: 1 },
    reply: { ...reply, seq: 2, parts: [{ type: 'text', text }], unfinished: false, finishReason: 'stop' },
    convo: convo({ conversationId: ask.conversationId }),
  };
}

function statusOf({ ask }: Asking): string | undefined {
  return findExchange(store, ask.generationId)?.status;
}

function shownText({ ask }: Asking): string {
  const atoms = store.get(exchangesAtom).get(ask.generationId);
  return atoms ? textOf(store.get(atoms.reply)) : '';
}

describe('a send', () => {
  test('asks and reads at the same time, and is in the outbox until the server said yes', async () => {
    const asking = send();
    await pass();
    expect(wire.asks).toHaveLength(1);
    expect(wire.readings).toHaveLength(1);
    expect(statusOf(asking)).toBe('starting');
    expect(outbox.list().map(({ asking: { ask } }) => ask)).toEqual([asking.ask]);

    wire.asks[0]?.resolve(asked(asking));
    await pass();
    expect(statusOf(asking)).toBe('streaming');
    expect(outbox.list()).toEqual([]);
  });

  test('shows the text as it grows and ends with what was saved', async () => {
    const asking = send();
    await pass();
    const { listener } = wire.readings[0] ?? expect.fail();
    listener.onEvent({ type: 'created', ...asked(asking) });
    listener.onEvent({ type: 'text', part: 0, offset: 0, text: 'Walk ' });
    listener.onEvent({ type: 'text', part: 0, offset: 5, text: 'up' });
    await pass();
    expect(shownText(asking)).toBe('Walk up');
    expect(outbox.list()).toEqual([]);

    const final = finalOf(asking, 'Walk uphill.');
    listener.onEvent(final);
    await pass();
    expect(settled).toEqual([final]);
    expect(findExchange(store, asking.ask.generationId)).toBeUndefined();
  });

  test('changes the screen once for many events of one frame', async () => {
    const asking = send();
    await pass();
    const { listener } = wire.readings[0] ?? expect.fail();
    listener.onEvent({ type: 'created', ...asked(asking) });
    await pass();
    const atoms = store.get(exchangesAtom).get(asking.ask.generationId) ?? expect.fail();
    let changes = 0;
    store.sub(atoms.reply, () => void changes++);
    for (let offset = 0; offset < 100; offset++) listener.onEvent({ type: 'text', part: 0, offset, text: 'a' });
    await pass();
    expect(changes).toBe(1);
    expect(shownText(asking)).toHaveLength(100);
  });

  test('reads from the beginning again when an event is missing', async () => {
    const asking = send();
    await pass();
    const first = wire.readings[0] ?? expect.fail();
    first.listener.onEvent({ type: 'created', ...asked(asking) });
    first.listener.onEvent({ type: 'text', part: 0, offset: 40, text: 'late' });
    expect(first.isOpen).toBe(false);
    await pass(1_000);
    const second = wire.readings[1] ?? expect.fail();
    second.listener.onEvent({ type: 'created', ...asked(asking) });
    second.listener.onEvent({ type: 'text', part: 0, offset: 0, text: 'whole' });
    await pass();
    expect(shownText(asking)).toBe('whole');
  });

  test('goes out again with the same ids when nobody answered', async () => {
    const asking = send();
    await pass();
    wire.asks[0]?.reject(silence());
    await pass();
    expect(statusOf(asking)).toBe('queued');
    await pass(1_000);
    expect(wire.asks.map(({ input }) => input)).toEqual([asking.ask, asking.ask]);
  });

  test('is not asked again once the reading has shown that it arrived', async () => {
    const asking = send();
    await pass();
    wire.readings[0]?.listener.onEvent({ type: 'created', ...asked(asking) });
    wire.asks[0]?.reject(silence());
    await pass(60_000);
    expect(wire.asks).toHaveLength(1);
    expect(statusOf(asking)).toBe('streaming');
  });

  test('is read again after it was accepted, when the first reading came too early', async () => {
    const asking = send();
    await pass();
    wire.readings[0]?.listener.onError(refusal({ type: 'not_found', what: 'generation' }));
    await pass();
    expect(statusOf(asking)).toBe('starting');
    wire.asks[0]?.resolve(asked(asking));
    await pass();
    expect(wire.readings).toHaveLength(2);
  });

  test('waits for the answer before it in the same conversation, and for none in another', async () => {
    const first = send('one');
    const second = send('two');
    const elsewhere = send('three', 'bread');
    await pass();
    expect(wire.asks.map(({ input }) => input)).toEqual([first.ask, elsewhere.ask]);
    wire.readings[0]?.listener.onEvent(finalOf(first, 'done'));
    await pass();
    expect(wire.asks.at(-1)?.input).toEqual(second.ask);
  });
});

describe('a refused send', () => {
  const limit = refusal({ type: 'concurrent', limit: 1 });

  test('puts its text back into the box and says why', async () => {
    const asking = send();
    await pass();
    wire.asks[0]?.reject(limit);
    await pass();
    expect(findExchange(store, asking.ask.generationId)).toMatchObject({
      status: 'failed',
      reason: { type: 'concurrent', limit: 1 },
    });
    expect(givenBack).toEqual([asking]);
    expect(outbox.list()).toEqual([]);
    expect(wire.readings[0]?.isOpen).toBe(false);
  });

  test('stays in the outbox, as refused, when another text stands in the box', async () => {
    hasRoom = false;
    const asking = send();
    await pass();
    wire.asks[0]?.reject(limit);
    await pass();
    expect(outbox.list()).toMatchObject([{ asking: { ask: asking.ask }, refused: { type: 'concurrent' } }]);
    exchanges.dismissFailed('lisbon');
    expect(outbox.list()).toEqual([]);
    expect(listExchanges(store, 'lisbon')).toEqual([]);
  });

  test('is tried again, not shown as failed, while nobody is served', async () => {
    const asking = send();
    await pass();
    wire.asks[0]?.reject(refusal({ type: 'unavailable' }));
    await pass(1_000);
    expect(wire.asks).toHaveLength(2);
    expect(statusOf(asking)).toBe('starting');
  });
});

describe('a reading that is refused for good', () => {
  const reasons: Reason[] = [
    { type: 'forbidden' },
    { type: 'invalid_input', text: 'Not like this' },
    { type: 'banned', until: null },
  ];

  test.each(reasons)('ends, is told and is not begun again: %j', async (reason) => {
    const asking = send();
    await pass();
    wire.asks[0]?.resolve(asked(asking));
    await pass();
    wire.readings[0]?.listener.onError(refusal(reason));
    await pass();
    expect(refusedReadings).toEqual([reason]);
    expect(listExchanges(store, 'lisbon')).toEqual([]);
    exchanges.follow(asking.ask.generationId, 'lisbon');
    await pass(60_000);
    expect(wire.readings).toHaveLength(1);
  });

  test('is left to the ask while that is on its way', async () => {
    const asking = send();
    await pass();
    wire.readings[0]?.listener.onError(refusal({ type: 'forbidden' }));
    await pass(60_000);
    expect(refusedReadings).toEqual([]);
    expect(wire.readings).toHaveLength(1);
    expect(statusOf(asking)).toBe('starting');
  });

  test.each<Reason>([{ type: 'unavailable' }, { type: 'unauthorized' }, { type: 'unknown', text: '' }])(
    'but not for %j, which may pass',
    async (reason) => {
      const asking = send();
      await pass();
      wire.asks[0]?.resolve(asked(asking));
      await pass();
      wire.readings[0]?.listener.onError(refusal(reason));
      await pass(2_000);
      expect(wire.readings).toHaveLength(2);
      expect(refusedReadings).toEqual([]);
    },
  );
});

describe('a stop', () => {
  test('is sent once, also before the ask was answered, and shows the end at once', async () => {
    const asking = send();
    await pass();
    void exchanges.stop(asking.ask.generationId);
    void exchanges.stop(asking.ask.generationId);
    await pass();
    expect(statusOf(asking)).toBe('stopping');
    expect(wire.aborts).toHaveLength(1);
    wire.aborts[0]?.resolve(finalOf(asking, 'Wa'));
    await pass();
    expect(settled).toHaveLength(1);
    expect(listExchanges(store, 'lisbon')).toEqual([]);
  });

  test('stays visible while the ask comes back', async () => {
    const asking = send();
    await pass();
    void exchanges.stop(asking.ask.generationId);
    wire.aborts[0]?.resolve(null);
    wire.asks[0]?.resolve(asked(asking));
    await pass();
    expect(statusOf(asking)).toBe('stopping');
  });

  test('that cannot be delivered is said, and the answer goes on', async () => {
    const asking = send();
    await pass();
    wire.asks[0]?.resolve(asked(asking));
    await pass();
    void exchanges.stop(asking.ask.generationId);
    wire.aborts[0]?.reject(silence());
    await pass();
    expect(stopFailures).toBe(1);
    expect(statusOf(asking)).toBe('streaming');
  });

  test('withdraws a send that waits for the network, and its text comes back', async () => {
    const asking = send();
    await pass();
    wire.asks[0]?.reject(silence());
    await pass();
    await exchanges.stop(asking.ask.generationId);
    expect(listExchanges(store, 'lisbon')).toEqual([]);
    expect(givenBack).toEqual([asking]);
    expect(outbox.list()).toEqual([]);
    await pass(60_000);
    expect(wire.asks).toHaveLength(1);
  });
});

describe('after a reload', () => {
  test('what was not acknowledged goes out again with the same ids', async () => {
    const { ask } = putIntoOutbox(prepareSend('lisbon', null, 'Still there?', gpt));
    exchanges.restoreAll();
    exchanges.restoreAll();
    await pass();
    expect(wire.asks.map(({ input }) => input)).toEqual([ask]);
    expect(listExchanges(store, 'lisbon').map(({ request }) => textOf(request))).toEqual(['Still there?']);
  });

  test('what speaks of messages that are not loaded yet brings them along', async () => {
    const question = message('question', 1, { isCreatedByUser: true });
    const answer = message('answer', 2, { parentMessageId: 'question', parts: [{ type: 'text', text: 'Walk' }] });
    const again = putIntoOutbox(prepareRegenerate('question', question, gpt));
    const onwards = putIntoOutbox(prepareContinue(question, answer, gpt));
    exchanges.restoreAll();
    await pass();
    expect(listExchanges(store, 'lisbon').map(({ request, reply }) => [request, reply])).toEqual([
      [question, again.reply],
      [question, onwards.reply],
    ]);
    expect(textOf(onwards.reply)).toBe('Walk');
  });

  test('what was refused is shown and not sent', async () => {
    putIntoOutbox(prepareSend('lisbon', null, 'Still there?', gpt), { type: 'moderation' });
    exchanges.restoreAll();
    await pass();
    expect(wire.asks).toEqual([]);
    expect(listExchanges(store, 'lisbon')).toMatchObject([{ status: 'failed', reason: { type: 'moderation' } }]);
  });

  test('an entry that is no entry is left out', () => {
    localStorage.setItem('outbox:alice:broken', '{"ask":');
    expect(outbox.list()).toEqual([]);
  });

  test('a generation that was started elsewhere is read along, once', async () => {
    const request = message('question', 1, { isCreatedByUser: true });
    const reply = message('answer', 2, { parentMessageId: 'question', generationId: 'run', unfinished: true });
    exchanges.follow('run', 'lisbon', { request, reply });
    exchanges.follow('run', 'lisbon', { request, reply });
    expect(wire.readings).toHaveLength(1);
    expect(findExchange(store, 'run')?.status).toBe('streaming');
    wire.readings[0]?.listener.onError(refusal({ type: 'not_found', what: 'generation' }));
    await pass();
    expect(findExchange(store, 'run')).toBeUndefined();
  });
});
