// Helpers for generations in tests: a reply, its events, and random ones for property tests.
import { randomUUID } from 'node:crypto';
import type { CreatedEvent, Entry, FinalEvent, GenerationEvent } from '@parley/schema/generation/events';
import { fold } from '@parley/schema/generation/fold';
import type { Convo } from '@parley/schema/convos/convos';
import { FRESH_CONVO } from '@parley/schema/convos/fresh-convo';
import type { Message, MessagePart } from '@parley/schema/messages/messages';
import type { Delta } from '@parley/server/generation/delta';
import fc from 'fast-check';

/** An empty reply. */
export function emptyReply(over: Partial<Message> = {}): Message {
  return {
    messageId: randomUUID(),
    conversationId: randomUUID(),
    parentMessageId: null,
    seq: 2,
    isCreatedByUser: false,
    sender: 'GPT-4',
    endpoint: 'openAI',
    endpointType: 'openAI',
    model: 'gpt-4',
    parts: [],
    finishReason: null,
    reason: null,
    unfinished: true,
    isEdited: false,
    usage: null,
    context: null,
    generationId: randomUUID(),
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    ...over,
  };
}

export function createdOf(reply: Message): CreatedEvent {
  return { type: 'created', request: { ...reply, isCreatedByUser: true, seq: 1 }, reply, convo: convoOf(reply) };
}

export function finalOf(reply: Message): FinalEvent {
  return { ...createdOf(reply), type: 'final', reply: { ...reply, unfinished: false, finishReason: 'stop' } };
}

export function text(offset: number, said: string, part = 0): GenerationEvent {
  return { type: 'text', part, offset, text: said };
}

/** Words as one text event each, in part 0. */
export function textsOf(...words: string[]): GenerationEvent[] {
  let offset = 0;
  return words.map((word) => text((offset += word.length) - word.length, word));
}

/** The reader's state after these entries, from an earlier state. */
export function folded(entries: readonly Entry[], from: Message = emptyReply()): Message {
  return entries.reduce((reply, { event }) => fold(reply, event), from);
}

/** The parts of a reply as plain JSON, for comparison. */
export function partsOf(reply: Message): MessagePart[] {
  return reply.parts;
}

const said = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  // Lone surrogates, NUL and the empty string: providers do send them.
  fc.constantFrom('\ud83d', '\ude00', '\u0000', '', 'a\u0000b', '😀', '\ud83d\u0000'),
  fc.string({ unit: 'binary', maxLength: 4 }),
);

/** What a provider may send, in any order: text, reasoning, growing tool calls, usage. */
export const anyDeltas: fc.Arbitrary<Delta[]> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ type: fc.constant('text' as const), text: said }) },
    { weight: 3, arbitrary: fc.record({ type: fc.constant('reasoning' as const), text: said }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('tool' as const), call: anyCall() }) },
    {
      weight: 1,
      arbitrary: fc.record({ type: fc.constant('usage' as const), input: fc.nat(1000), output: fc.nat(1000) }),
    },
  ),
  { maxLength: 60 },
);

/** Tool calls as the loop emits them: the arguments and the log in pieces, the whole call when its state changes. */
export const anyCallDeltas: fc.Arbitrary<Delta[]> = fc
  .array(fc.record({ pieces: fc.array(said, { maxLength: 6 }), logs: fc.array(said, { maxLength: 4 }) }), {
    minLength: 1,
    maxLength: 3,
  })
  .map((calls) =>
    calls.flatMap(({ pieces, logs }, n): Delta[] => {
      const call = { id: `0:${n}`, kind: 'function' as const, name: 'f', input: '', output: null, progress: 0.1 };
      const running = { ...call, input: pieces.join(''), progress: 0.2 };
      const outputs = [{ type: 'logs' as const, text: logs.join('') }];
      return [
        { type: 'tool', call },
        ...pieces.map((text) => ({ type: 'input' as const, id: call.id, text })),
        { type: 'tool', call: running },
        ...logs.map((text) => ({ type: 'log' as const, id: call.id, text })),
        { type: 'tool', call: { ...running, output: 'done', outputs, progress: 1 } },
      ];
    }),
  );

/** What a provider may send that sometimes retracts what it sent. */
export const anyRewrittenDeltas: fc.Arbitrary<Delta[]> = anyDeltas.chain((deltas) =>
  fc
    .array(fc.record({ index: fc.nat(60), text: said }), { minLength: 1, maxLength: 5 })
    .map((rewrites) =>
      rewrites.reduce<Delta[]>(
        (all, { index, text }) => all.toSpliced(index % (all.length + 1), 0, { type: 'rewrite', text }),
        deltas,
      ),
    ),
);

function anyCall() {
  return fc.record({
    id: fc.constantFrom('call-0', 'call-1'),
    kind: fc.constant('function' as const),
    name: fc.constant('get_weather'),
    input: said,
    output: fc.constant(null),
    progress: fc.constant(0.1),
  });
}

function convoOf(reply: Message): Convo {
  const { conversationId, endpoint, endpointType, model, generationId, createdAt, updatedAt } = reply;
  const chat = { endpoint, endpointType, model, settings: {} };
  return { ...FRESH_CONVO, conversationId, ...chat, running: generationId, createdAt, updatedAt };
}
