// @vitest-environment happy-dom
import type { FinalEvent } from '@parley/schema/generation/events';
import { messageText } from '@parley/schema/messages/messages';
import type { Reason } from '@parley/schema/reasons';
import { createStore } from 'jotai';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { exchangesAtom, findExchange, listExchanges } from '../../../../web/src/chat/exchanges/exchange.ts';
import { createExchanges, type Exchanges } from '../../../../web/src/chat/exchanges/exchanges.ts';
import { createOutbox } from '../../../../web/src/chat/exchanges/outbox.ts';
import { createStops } from '../../../../web/src/chat/exchanges/stops.ts';
import {
  prepareContinue,
  prepareRegenerate,
  prepareSend,
  type PendingAsk,
} from '../../../../web/src/chat/exchanges/prepare-ask.ts';
import { convo, gpt, message } from './people.ts';
import { createScriptedApi, refusal, silence, type ScriptedApi } from './scripted-api.ts';

let chatApi: ScriptedApi;
let exchanges: Exchanges;
let store: ReturnType<typeof createStore>;
let settled: FinalEvent[];
let givenBack: PendingAsk[];
let hasRoom: boolean;
let stopFailures: number;
let refusedReadings: Reason[];

const outbox = createOutbox('alice');
const stops = createStops('alice');

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
  chatApi = createScriptedApi();
  store = createStore();
  settled = [];
  givenBack = [];
  hasRoom = true;
  stopFailures = 0;
  refusedReadings = [];
  exchanges = createExchanges({
    chatApi,
    store,
    outbox,
    stops,
    applyFinal: async (event) => void settled.push(event),
    onConvo: () => {},
    refresh: () => {},
    restoreDraft: (asking) => {
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

function send(text = 'Three days in Lisbon?', conversationId = 'lisbon'): PendingAsk {
  const asking = prepareSend(conversationId, null, text, gpt);
  exchanges.send(asking);
  return asking;
}

/** One whose answer is coming. */
async function streaming(): Promise<PendingAsk> {
  const asking = send();
  await pass();
  chatApi.asks[0]?.resolve(asked(asking));
  await pass();
  return asking;
}

/** As an earlier visit left it. */
function putIntoOutbox(asking: PendingAsk, refused?: Reason): PendingAsk {
  outbox.put(asking, refused);
  return asking;
}

function asked({ ask, request, reply }: PendingAsk) {
  return {
    generationId: ask.generationId,
    request: { ...request, seq: 1 },
    reply: { ...reply, seq: 2 },
    convo: convo({ conversationId: ask.conversationId, running: ask.generationId }),
  };
}

function finalOf({ ask, request, reply }: PendingAsk, text: string): FinalEvent {
  return {
    type: 'final',
    request: { ...request, seq: 1 },
    reply: { ...reply, seq: 2, parts: [{ type: 'text', text }], unfinished: false, finishReason: 'stop' },
    convo: convo({ conversationId: ask.conversationId }),
  };
}

function statusOf({ ask }: PendingAsk): string | undefined {
  return findExchange(store, ask.generationId)?.status;
}

function shownText({ ask }: PendingAsk): string {
  const atoms = store.get(exchangesAtom).get(ask.generationId);
  return atoms ? messageText(store.get(atoms.reply)) : '';
}

describe('a sent question', () => {
  test('asks and attaches at the same time, and stays in the outbox until it is confirmed', async () => {
    const asking = send();
    await pass();
    expect(chatApi.asks).toHaveLength(1);
    expect(chatApi.readings).toHaveLength(1);
    expect(statusOf(asking)).toBe('starting');
    expect(outbox.list().map(({ pendingAsk: { ask } }) => ask)).toEqual([asking.ask]);

    chatApi.asks[0]?.resolve(asked(asking));
    await pass();
    expect(statusOf(asking)).toBe('streaming');
    expect(outbox.list()).toEqual([]);
  });

  test('shows the text as it grows and ends with what was saved', async () => {
    const asking = send();
    await pass();
    const { listener } = chatApi.readings[0] ?? expect.fail();
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

  test('updates the screen once for the events of one frame', async () => {
    const asking = send();
    await pass();
    const { listener } = chatApi.readings[0] ?? expect.fail();
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

  test('is read from the start again when an event is missing', async () => {
    const asking = send();
    await pass();
    const first = chatApi.readings[0] ?? expect.fail();
    first.listener.onEvent({ type: 'created', ...asked(asking) });
    first.listener.onEvent({ type: 'text', part: 0, offset: 40, text: 'late' });
    expect(first.isOpen).toBe(false);
    await pass(1_000);
    const second = chatApi.readings[1] ?? expect.fail();
    second.listener.onEvent({ type: 'created', ...asked(asking) });
    second.listener.onEvent({ type: 'text', part: 0, offset: 0, text: 'whole' });
    await pass();
    expect(shownText(asking)).toBe('whole');
  });

  test('is sent again with the same ids without a response', async () => {
    const asking = send();
    await pass();
    chatApi.asks[0]?.reject(silence());
    await pass();
    expect(statusOf(asking)).toBe('queued');
    await pass(1_000);
    expect(chatApi.asks.map(({ input }) => input)).toEqual([asking.ask, asking.ask]);
  });

  test('is not sent again once its generation was read', async () => {
    const asking = send();
    await pass();
    chatApi.readings[0]?.listener.onEvent({ type: 'created', ...asked(asking) });
    chatApi.asks[0]?.reject(silence());
    await pass(60_000);
    expect(chatApi.asks).toHaveLength(1);
    expect(statusOf(asking)).toBe('streaming');
  });

  test('is attached again after it was accepted, when the first attach came too early', async () => {
    const asking = send();
    await pass();
    chatApi.readings[0]?.listener.onError(refusal({ type: 'not_found', what: 'generation' }));
    await pass();
    expect(statusOf(asking)).toBe('starting');
    chatApi.asks[0]?.resolve(asked(asking));
    await pass();
    expect(chatApi.readings).toHaveLength(2);
  });

  test('waits for the previous answer in its conversation, and for no other', async () => {
    const first = send('one');
    const second = send('two');
    const elsewhere = send('three', 'bread');
    await pass();
    expect(chatApi.asks.map(({ input }) => input)).toEqual([first.ask, elsewhere.ask]);
    chatApi.readings[0]?.listener.onEvent(finalOf(first, 'done'));
    await pass();
    expect(chatApi.asks.at(-1)?.input).toEqual(second.ask);
  });
});

describe('a refused send', () => {
  const limit = refusal({ type: 'concurrent', limit: 1 });

  test('returns its text to the box and shows the reason', async () => {
    const asking = send();
    await pass();
    chatApi.asks[0]?.reject(limit);
    await pass();
    expect(findExchange(store, asking.ask.generationId)).toMatchObject({
      status: 'failed',
      reason: { type: 'concurrent', limit: 1 },
    });
    expect(givenBack).toEqual([asking]);
    expect(outbox.list()).toEqual([]);
    expect(chatApi.readings[0]?.isOpen).toBe(false);
  });

  test('stays in the outbox as refused when another text stands in the box', async () => {
    hasRoom = false;
    const asking = send();
    await pass();
    chatApi.asks[0]?.reject(limit);
    await pass();
    expect(outbox.list()).toMatchObject([{ pendingAsk: { ask: asking.ask }, refused: { type: 'concurrent' } }]);
    exchanges.dismissFailed('lisbon');
    expect(outbox.list()).toEqual([]);
    expect(listExchanges(store, 'lisbon')).toEqual([]);
  });

  test('is retried, not shown as failed, while the server is down', async () => {
    const asking = send();
    await pass();
    chatApi.asks[0]?.reject(refusal({ type: 'unavailable' }));
    await pass(1_000);
    expect(chatApi.asks).toHaveLength(2);
    expect(statusOf(asking)).toBe('starting');
  });
});

describe('an attach that is refused permanently', () => {
  const reasons: Reason[] = [
    { type: 'forbidden' },
    { type: 'invalid_input', text: 'Not like this' },
    { type: 'banned', until: null },
  ];

  test.each(reasons)('ends, is shown and is not retried: %j', async (reason) => {
    const asking = send();
    await pass();
    chatApi.asks[0]?.resolve(asked(asking));
    await pass();
    chatApi.readings[0]?.listener.onError(refusal(reason));
    await pass();
    expect(refusedReadings).toEqual([reason]);
    expect(listExchanges(store, 'lisbon')).toEqual([]);
    exchanges.follow(asking.ask.generationId, 'lisbon');
    await pass(60_000);
    expect(chatApi.readings).toHaveLength(1);
  });

  test('waits for the ask while that is in transit', async () => {
    const asking = send();
    await pass();
    chatApi.readings[0]?.listener.onError(refusal({ type: 'forbidden' }));
    await pass(60_000);
    expect(refusedReadings).toEqual([]);
    expect(chatApi.readings).toHaveLength(1);
    expect(statusOf(asking)).toBe('starting');
  });

  test.each<Reason>([{ type: 'unavailable' }, { type: 'unauthorized' }, { type: 'unknown', text: '' }])(
    'differs from %j, which may pass',
    async (reason) => {
      const asking = send();
      await pass();
      chatApi.asks[0]?.resolve(asked(asking));
      await pass();
      chatApi.readings[0]?.listener.onError(refusal(reason));
      await pass(2_000);
      expect(chatApi.readings).toHaveLength(2);
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
    expect(chatApi.aborts).toHaveLength(1);
    chatApi.aborts[0]?.resolve(finalOf(asking, 'Wa'));
    await pass();
    expect(settled).toHaveLength(1);
    expect(listExchanges(store, 'lisbon')).toEqual([]);
  });

  test('stays visible while the ask returns', async () => {
    const asking = send();
    await pass();
    void exchanges.stop(asking.ask.generationId);
    chatApi.aborts[0]?.resolve(null);
    chatApi.asks[0]?.resolve(asked(asking));
    await pass();
    expect(statusOf(asking)).toBe('stopping');
  });

  test('is kept and sent again when it fails, and waits while the browser is offline', async () => {
    const asking = await streaming();
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    void exchanges.stop(asking.ask.generationId);
    await pass(60_000);
    expect(chatApi.aborts).toHaveLength(0);
    expect(statusOf(asking)).toBe('stopping');
    online.mockRestore();
    window.dispatchEvent(new Event('online'));
    await pass();
    expect(chatApi.aborts).toHaveLength(1);
    chatApi.aborts[0]?.reject(silence());
    await pass(1_000);
    chatApi.aborts[1]?.resolve(finalOf(asking, 'Wa'));
    await pass();
    expect(settled).toHaveLength(1);
    expect(stopFailures).toBe(0);
    expect(stops.list()).toEqual([]);
  });

  test('is sent by the next visit when this one could not, and once', async () => {
    const asking = await streaming();
    void exchanges.stop(asking.ask.generationId);
    chatApi.aborts[0]?.reject(silence());
    exchanges.close();
    await pass(60_000);
    expect(chatApi.aborts).toHaveLength(1);
    exchanges.restoreAll();
    exchanges.restoreAll();
    await pass();
    expect(chatApi.aborts.map(({ generationId }) => generationId)).toEqual([
      asking.ask.generationId,
      asking.ask.generationId,
    ]);
    chatApi.aborts[1]?.resolve(null);
    await pass();
    expect(stops.list()).toEqual([]);
  });

  test('is dropped when the answer ended meanwhile', async () => {
    const asking = await streaming();
    void exchanges.stop(asking.ask.generationId);
    chatApi.aborts[0]?.reject(silence());
    chatApi.readings.at(-1)?.listener.onEvent(finalOf(asking, 'Water'));
    await pass(60_000);
    expect(settled).toHaveLength(1);
    expect(chatApi.aborts).toHaveLength(1);
    expect(stops.list()).toEqual([]);
  });

  test('is reported when the server refuses it, and the answer continues', async () => {
    const asking = await streaming();
    void exchanges.stop(asking.ask.generationId);
    await pass();
    chatApi.aborts[0]?.reject(refusal({ type: 'not_found', what: 'generation' }));
    await pass();
    expect(stopFailures).toBe(1);
    expect(statusOf(asking)).toBe('streaming');
  });

  test('withdraws a question that waits for the network, and restores its text', async () => {
    const asking = send();
    await pass();
    chatApi.asks[0]?.reject(silence());
    await pass();
    await exchanges.stop(asking.ask.generationId);
    expect(listExchanges(store, 'lisbon')).toEqual([]);
    expect(givenBack).toEqual([asking]);
    expect(outbox.list()).toEqual([]);
    await pass(60_000);
    expect(chatApi.asks).toHaveLength(1);
  });

  test('withdraws a question whose delivery fails after it, and is still sent in case the question arrived', async () => {
    const asking = send();
    await pass();
    void exchanges.stop(asking.ask.generationId);
    await pass();
    chatApi.asks[0]?.reject(silence());
    await pass();
    expect(listExchanges(store, 'lisbon')).toEqual([]);
    expect(givenBack).toEqual([asking]);
    expect(stops.list()).toEqual([asking.ask.generationId]);
    await pass(60_000);
    expect(chatApi.asks).toHaveLength(1);
    chatApi.aborts[0]?.resolve(null);
    await pass();
    expect(stops.list()).toEqual([]);
  });
});

describe('after a reload', () => {
  test('unconfirmed asks are sent again with the same ids', async () => {
    const { ask } = putIntoOutbox(prepareSend('lisbon', null, 'Still there?', gpt));
    exchanges.restoreAll();
    exchanges.restoreAll();
    await pass();
    expect(chatApi.asks.map(({ input }) => input)).toEqual([ask]);
    expect(listExchanges(store, 'lisbon').map(({ request }) => messageText(request))).toEqual(['Still there?']);
  });

  test('asks load the messages that they refer to', async () => {
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
    expect(messageText(onwards.reply)).toBe('Walk');
  });

  test('refused asks are shown and not sent', async () => {
    putIntoOutbox(prepareSend('lisbon', null, 'Still there?', gpt), { type: 'moderation' });
    exchanges.restoreAll();
    await pass();
    expect(chatApi.asks).toEqual([]);
    expect(listExchanges(store, 'lisbon')).toMatchObject([{ status: 'failed', reason: { type: 'moderation' } }]);
  });

  test('invalid entries are ignored', () => {
    localStorage.setItem('outbox:alice:broken', '{"ask":');
    expect(outbox.list()).toEqual([]);
  });

  test('a generation of another browser is attached to, once', async () => {
    const request = message('question', 1, { isCreatedByUser: true });
    const reply = message('answer', 2, { parentMessageId: 'question', generationId: 'run', unfinished: true });
    exchanges.follow('run', 'lisbon', { request, reply });
    exchanges.follow('run', 'lisbon', { request, reply });
    expect(chatApi.readings).toHaveLength(1);
    expect(findExchange(store, 'run')?.status).toBe('streaming');
    chatApi.readings[0]?.listener.onError(refusal({ type: 'not_found', what: 'generation' }));
    await pass();
    expect(findExchange(store, 'run')).toBeUndefined();
  });
});
