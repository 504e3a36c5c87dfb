// Carries out the calls of one step: checks them, asks for approval, runs what may run, a few at a time.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Decision } from '@parley/schema/chat/ask';
import type { LoopCall, LoopCallFacts } from '@parley/schema/messages/messages';
import type { Delta } from '../generation/delta.ts';
import { ownTurn } from '../platform/event-loop.ts';
import type { Agent } from './agent.ts';
import { canonicalInput, checkInput } from './check-call.ts';
import { createDeltaQueue } from './delta-queue.ts';
import { BEGUN, failed, runTool, type Ready } from './run-tool.ts';
import { deniedCall, withoutNeeds } from './settle-calls.ts';

/** What a run remembers of its calls. */
export interface CallCounts {
  /** Calls that were carried out. */
  carriedOut: number;
  /** How often each tool was called with the same arguments. */
  same: Map<string, number>;
}

export interface CallExecution {
  counts: CallCounts;
  /** What the model said in the steps of this run, the last one included. */
  said: readonly string[];
  /** By the id of the call, in a resumed answer. */
  decisions: Readonly<Record<string, Decision>>;
  /** What is left of the run's time, in milliseconds. */
  msLeft(): number;
}

/** The same call is carried out so often; the next one is refused. */
const SAME_MAX = 2;
/** The pause before the log is written again to a database that was away. */
const FLUSH_AGAIN_MS = 500;

type CheckedCall = Ready | { call: LoopCall; tool?: never };

/**
 * The calls as they ended, in their order. Those that wait for a person have the state `waiting`; they stop no other.
 * Every call that is carried out is marked as running in the database before.
 * @throws Refusal of a tool, which ends the reply
 */
export async function* executeCalls(
  calls: readonly LoopCall[],
  agent: Agent,
  carrying: CallExecution,
  signal: AbortSignal,
): AsyncGenerator<Delta, LoopCall[]> {
  const checkedCalls: CheckedCall[] = [];
  for (const call of calls) checkedCalls.push(await checkCall(call, agent, carrying));
  for (const { call } of checkedCalls) yield { type: 'tool', call };
  const ready = checkedCalls.filter((one): one is Ready => one.tool !== undefined);
  if (ready.length === 0) return checkedCalls.map(({ call }) => call);
  yield* writtenDown(agent, signal);
  if (signal.aborted) return checkedCalls.map(({ call }) => call);
  const ended = yield* runAll(ready, agent, carrying, signal);
  return checkedCalls.map(({ call }) => ended.get(call.id) ?? call);
}

/** The call ready to run, or as it ends or waits without running. */
async function checkCall(before: LoopCall, agent: Agent, { counts, decisions }: CallExecution): Promise<CheckedCall> {
  const call = withoutNeeds(before);
  const tool = agent.tools.get(call.name);
  if (!tool) return { call: failed(call, `There is no tool named ${call.name}.`) };
  if (call.input.length > agent.limits.inputChars) return { call: failed(call, 'The arguments are too long.') };
  const checked = checkInput(call.input, tool.parameters);
  if ('error' in checked) return { call: failed(call, checked.error) };
  if (isRepeated(call, counts)) return { call: failed(call, 'This was called twice before with the same arguments.') };
  const undecided = await decide(before, { tool, args: checked.args }, agent, decisions);
  if (undecided) return { call: undecided };
  if (counts.carriedOut >= agent.limits.calls)
    return { call: failed(call, `One answer has at most ${agent.limits.calls} calls.`) };
  const waitSeconds = await agent.countCall();
  if (waitSeconds !== null)
    return { call: failed(call, `There were too many calls. Try again in ${waitSeconds} seconds.`) };
  counts.carriedOut += 1;
  return { call: { ...call, state: 'running', output: null, progress: BEGUN }, tool, args: checked.args };
}

function isRepeated({ name, input }: LoopCallFacts, { same }: CallCounts): boolean {
  const key = `${name} ${canonicalInput(input)}`;
  const before = same.get(key) ?? 0;
  same.set(key, before + 1);
  return before >= SAME_MAX;
}

/** The call as it waits, is denied or is refused; null when it may run. */
async function decide(
  call: LoopCall,
  { tool, args }: Pick<Ready, 'tool' | 'args'>,
  agent: Agent,
  decisions: CallExecution['decisions'],
): Promise<LoopCall | null> {
  const decision = decisions[call.id];
  if (decision === 'deny') return deniedCall(call);
  if (decision === 'always' && tool.asks === 'first' && !call.isAskedEachTime) await agent.grant(tool);
  if (decision === undefined && call.state === 'waiting') return call;
  // One that was running when its process ended has been allowed.
  if (decision !== undefined || call.state === 'stopped') return null;
  const question = (await tool.asksAbout?.(args)) ?? null;
  if (question && agent.cannotAsk) return failed(call, question.refusal);
  const asks = question ? 'always' : tool.asks;
  if (asks === 'never' || (asks === 'first' && (await agent.isGranted(tool)))) return null;
  const does = question?.does ?? tool.does;
  const told = { ...(does && { does }), ...(asks === 'always' && { isAskedEachTime: true }) };
  return { ...withoutNeeds(call), state: 'waiting', needs: 'approval', progress: BEGUN, ...told };
}

async function* writtenDown(agent: Agent, signal: AbortSignal): AsyncGenerator<Delta> {
  while (!signal.aborted && !(await agent.flush())) {
    yield { type: 'working' };
    await sleep(FLUSH_AGAIN_MS, undefined, { signal }).catch(() => undefined);
  }
  // One write serves all runs.
  await ownTurn();
}

async function* runAll(
  ready: readonly Ready[],
  agent: Agent,
  { msLeft, said }: CallExecution,
  signal: AbortSignal,
): AsyncGenerator<Delta, Map<string, LoopCall>> {
  const queue = createDeltaQueue();
  const refused = new AbortController();
  const until = AbortSignal.any([signal, refused.signal]);
  const ended = new Map<string, LoopCall>();
  const left = [...ready];
  let refusal: unknown = null;
  const workers = Array.from({ length: Math.min(agent.limits.atOnce, ready.length) }, work);
  void Promise.all(workers).then(queue.end);
  yield* queue.read(agent.limits.heartbeatMs);
  if (refusal !== null) throw refusal;
  return ended;

  async function work(): Promise<void> {
    for (let next = left.shift(); next; next = left.shift()) {
      try {
        ended.set(next.call.id, await runTool(next, agent, queue.push, until, { msLeft: msLeft(), said }));
      } catch (error) {
        refusal ??= error;
        refused.abort();
      }
    }
  }
}
