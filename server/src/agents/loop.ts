// The loop around a model: asks it, carries out the calls it makes, tells it the results, and asks again.
import { NO_MORE_CALLS } from '@parley/schema/tools/no-more-calls';
import type { LoopCall } from '@parley/schema/messages/messages';
import type { Delta } from '../generation/delta.ts';
import { ownTurn } from '../platform/event-loop.ts';
import type { ChatMessage } from '../providers/provider.ts';
import type { Agent, ModelStep, OpenStep } from './agent.ts';
import { executeCalls, type CallCounts } from './execute-calls.ts';
import { streamStep } from './stream-step.ts';
import { failed } from './run-tool.ts';
import { isPending } from './settle-calls.ts';

/**
 * The deltas of a whole run. It ends with the model's last reply; with finish reason `tool_calls` when a call waits
 * for a person; without one when the model broke off or the signal aborted.
 * @throws Refusal of the provider or of a tool, which ends the reply
 */
export async function* runAgent(agent: Agent, signal: AbortSignal): AsyncGenerator<Delta> {
  const { limits, tools } = agent;
  const end = performance.now() + limits.runMs;
  const msLeft = () => Math.max(0, end - performance.now());
  const counts: CallCounts = { carriedOut: 0, same: new Map() };
  const messages = [...agent.messages];
  const said: string[] = [];
  yield* emitProblems(agent);
  if (agent.open) {
    const calls = yield* resume(agent, agent.open, { counts, said, msLeft }, signal);
    if (yield* isOver(calls, signal)) return;
    messages.push(await messageOf(agent.open, calls, agent));
  }
  for (let asked = 1; ; asked++) {
    const isLast = asked >= limits.steps || counts.carriedOut >= limits.calls || msLeft() === 0;
    const step = agent.firstStep + asked - 1;
    await ownTurn();
    yield { type: 'asking' };
    const modelStep: ModelStep = { messages: [...messages], ...(isLast && { toolChoice: 'none' }) };
    const deltas = withLinkedAbort((own) => agent.ask(modelStep, own), signal);
    const reply = yield* streamStep(deltas, { step, tools, inputChars: limits.inputChars });
    const isWhole = reply.finish !== null && reply.finish !== 'content_filter';
    if (signal.aborted || !isWhole || reply.calls.length === 0) return yield* finish(reply.finish);
    if (isLast) return yield* refuseAll(reply.calls);
    said.push(reply.text);
    const calls = yield* executeCalls(reply.calls, agent, { counts, said, decisions: {}, msLeft }, signal);
    if (yield* isOver(calls, signal)) return;
    messages.push(await messageOf(reply, calls, agent));
  }
}

/** Each as a call that failed, which the model does not get. */
function* emitProblems({ problems }: Agent): Generator<Delta> {
  for (const [n, { from, text }] of problems.entries()) {
    const call = { id: `problem:${n}`, kind: 'function' as const, name: from.label, input: '' };
    yield { type: 'tool', call: { ...call, output: text, progress: 1, state: 'failed', from } };
  }
}

type Resuming = Omit<Parameters<typeof executeCalls>[2], 'decisions'>;

/** Carries out the calls of an earlier run that can be carried out now; the others are as they ended. */
async function* resume(
  agent: Agent,
  { calls, decisions }: OpenStep,
  resuming: Resuming,
  signal: AbortSignal,
): AsyncGenerator<Delta, LoopCall[]> {
  const ended = yield* executeCalls(calls.filter(isPending), agent, { ...resuming, decisions }, signal);
  return calls.map((call) => ended.find(({ id }) => id === call.id) ?? call);
}

/** Whether the run ends after these calls: it was stopped, or one of them waits. */
function* isOver(calls: readonly LoopCall[], signal: AbortSignal): Generator<Delta, boolean> {
  if (signal.aborted) return true;
  if (!calls.some(({ state }) => state === 'waiting')) return false;
  yield { type: 'finish', reason: 'tool_calls' };
  return true;
}

function* finish(reason: Extract<Delta, { type: 'finish' }>['reason'] | null): Generator<Delta> {
  if (reason !== null) yield { type: 'finish', reason };
}

/** The model goes on calling although it was asked to answer. */
function* refuseAll(calls: readonly LoopCall[]): Generator<Delta> {
  for (const call of calls) yield { type: 'tool', call: failed(call, NO_MORE_CALLS) };
  yield { type: 'finish', reason: 'length' };
}

async function messageOf(
  { text, signatures }: Pick<OpenStep, 'text' | 'signatures'>,
  calls: readonly LoopCall[],
  agent: Agent,
): Promise<ChatMessage> {
  const finished = await Promise.all(calls.map((call) => agent.finish(call)));
  return { role: 'assistant', content: text, calls: finished, ...(signatures.length > 0 && { signatures }) };
}

/**
 * Streams with a signal that aborts with `signal` and lives no longer than the stream. SDKs leave listeners on the
 * signal of a request: on that of a long run, they and all that they hold would gather with each step.
 */
async function* withLinkedAbort<T>(
  stream: (own: AbortSignal) => AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const own = new AbortController();
  const abort = () => own.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    yield* stream(own.signal);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
