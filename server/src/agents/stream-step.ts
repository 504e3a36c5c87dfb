// One model step of an agent run: streams its deltas on, and gathers its text and calls.
import type { FinishReason, LoopCall, ToolCall } from '@parley/schema/messages/messages';
import type { Delta } from '../generation/delta.ts';
import type { Tool } from '../tools/tool.ts';

/** What the model said in one step. */
export interface StepReply {
  text: string;
  signatures: string[];
  calls: LoopCall[];
  /** Null when it broke off. */
  finish: FinishReason | null;
}

export interface StepRequest {
  step: number;
  tools: ReadonlyMap<string, Tool>;
  inputChars: number;
}

/** More calls in one step are ignored. */
const CALLS_MAX = 128;
/** The progress of a call whose arguments are being written. */
const WRITING_PROGRESS = 0.1;

/**
 * Relays everything but the end. Calls get ids of their own, since those of providers repeat; arguments are sent as
 * they come, also where the provider sends a call whole each time.
 */
export async function* streamStep(
  deltas: AsyncIterable<Delta>,
  request: StepRequest,
): AsyncGenerator<Delta, StepReply> {
  const calls = gatherCalls(request);
  const reply: StepReply = { text: '', signatures: [], calls: [], finish: null };
  for await (const delta of deltas) {
    switch (delta.type) {
      case 'text':
        reply.text += delta.text;
        yield delta;
        break;
      case 'rewrite':
        reply.text = delta.text;
        yield delta;
        break;
      case 'tool':
        yield* calls.add(delta.call);
        break;
      case 'input':
      case 'log':
        yield* calls.extend(delta);
        break;
      case 'signature':
        if (delta.id === undefined) reply.signatures.push(delta.signature.data);
        yield delta.id === undefined ? delta : calls.sign(delta.id, delta);
        break;
      case 'finish':
        reply.finish = delta.reason;
        break;
      case 'reasoning':
      case 'made':
      case 'place':
      case 'picture':
      case 'usage':
      case 'thread':
      case 'working':
      case 'context':
      case 'asked':
      case 'asking':
        yield delta;
        break;
      default:
        return delta satisfies never;
    }
  }
  return { ...reply, calls: calls.all() };
}

/** The calls of one reply by the provider's ids. */
function gatherCalls({ step, tools, inputChars }: StepRequest) {
  const calls = new Map<string, LoopCall>();
  return { add, extend, sign, all: () => [...calls.values()] };

  function* add(call: ToolCall): Generator<Delta> {
    // A call that the provider carries out itself is only shown.
    if (call.kind !== 'function' || call.output !== null)
      return yield { type: 'tool', call: { ...call, id: ownId(call.id) } };
    const before = calls.get(call.id);
    if (!before && calls.size >= CALLS_MAX) return;
    if (!before || before.name !== call.name || !call.input.startsWith(before.input)) {
      const begun = { ...begin(call, before), input: call.input.slice(0, inputChars + 1) };
      calls.set(call.id, begun);
      // A copy: its arguments grow here.
      return yield { type: 'tool', call: { ...begun } };
    }
    yield* extend({ type: 'input', id: call.id, text: call.input.slice(before.input.length) });
  }

  function begin({ name, seal }: ToolCall, before: LoopCall | undefined): LoopCall {
    const tool = tools.get(name);
    return {
      id: before?.id ?? `${step}:${calls.size}`,
      kind: tool?.kind ?? 'function',
      name,
      input: '',
      output: null,
      progress: WRITING_PROGRESS,
      step,
      state: 'writing',
      ...(tool && { from: tool.from, isRepeatable: tool.isRepeatable }),
      ...(seal && { seal }),
    };
  }

  /** What is longer than allowed is not kept: the check of the call then reports it. */
  function* extend({ type, id, text }: Extract<Delta, { type: 'input' | 'log' }>): Generator<Delta> {
    const call = calls.get(id);
    if (!call || type === 'log') return yield { type, id: ownId(id), text };
    const remaining = text.slice(0, Math.max(0, inputChars + 1 - call.input.length));
    if (remaining === '') return;
    call.input += remaining;
    yield { type, id: call.id, text: remaining };
  }

  function sign(id: string, delta: Extract<Delta, { type: 'signature' }>): Delta {
    const call = calls.get(id);
    if (call) call.seal = delta.signature;
    return { ...delta, id: call?.id ?? ownId(id) };
  }

  function ownId(id: string): string {
    return step === 0 ? id : `${step}/${id}`;
  }
}
