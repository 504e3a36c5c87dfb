// One model step of an agent run: streams its deltas on, and gathers its text and calls.
import type { FinishReason, LoopCall, ToolCall } from '@parley/schema/messages/messages';
import type { Delta } from '../generation/delta.ts';
import type { Tool } from '../tools/tool.ts';

/** What the model said in one step. */
export interface Answer {
  text: string;
  seals: string[];
  calls: LoopCall[];
  /** Null when it broke off. */
  finish: FinishReason | null;
  usage: { input: number; output: number };
}

export interface StepRequest {
  step: number;
  tools: ReadonlyMap<string, Tool>;
  /** Of all steps before. */
  usageBefore: { input: number; output: number };
  inputChars: number;
}

/** More calls in one step are ignored. */
const CALLS_MAX = 128;
/** The progress of a call whose arguments are being written. */
const WRITING_PROGRESS = 0.1;

/**
 * Relays everything but the end. Calls get ids of their own, since those of providers repeat; arguments are sent as
 * they come, also where the provider sends a call whole each time. Usage is sent as the sum of all steps.
 */
export async function* streamStep(deltas: AsyncIterable<Delta>, request: StepRequest): AsyncGenerator<Delta, Answer> {
  const { usageBefore: before } = request;
  const calls = gatherCalls(request);
  const answer: Answer = { text: '', seals: [], calls: [], finish: null, usage: { input: 0, output: 0 } };
  for await (const delta of deltas) {
    switch (delta.type) {
      case 'text':
        answer.text += delta.text;
        yield delta;
        break;
      case 'rewrite':
        answer.text = delta.text;
        yield delta;
        break;
      case 'tool':
        yield* calls.add(delta.call);
        break;
      case 'input':
      case 'log':
        yield* calls.extend(delta);
        break;
      case 'seal':
        if (delta.id === undefined) answer.seals.push(delta.seal.data);
        yield delta.id === undefined ? delta : calls.sealed(delta.id, delta);
        break;
      case 'usage':
        answer.usage = { input: delta.input, output: delta.output };
        yield { type: 'usage', input: before.input + delta.input, output: before.output + delta.output };
        break;
      case 'finish':
        answer.finish = delta.reason;
        break;
      case 'reasoning':
      case 'made':
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
  return { ...answer, calls: calls.all() };
}

/** The calls of one answer by the provider's ids. */
function gatherCalls({ step, tools, inputChars }: StepRequest) {
  const calls = new Map<string, LoopCall>();
  return { add, extend, sealed, all: () => [...calls.values()] };

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
    const kept = text.slice(0, Math.max(0, inputChars + 1 - call.input.length));
    if (kept === '') return;
    call.input += kept;
    yield { type, id: call.id, text: kept };
  }

  function sealed(id: string, delta: Extract<Delta, { type: 'seal' }>): Delta {
    const call = calls.get(id);
    if (call) call.seal = delta.seal;
    return { ...delta, id: call?.id ?? ownId(id) };
  }

  function ownId(id: string): string {
    return step === 0 ? id : `${step}/${id}`;
  }
}
