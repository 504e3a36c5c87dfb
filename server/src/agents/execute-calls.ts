// Carries out the calls of one step: checks them, asks for approval, runs what may run, a few at a time.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Decision } from '@parley/schema/chat/ask';
import type { LoopCall, LoopCallFacts } from '@parley/schema/messages/messages';
import type { Delta } from '../generation/delta.ts';
import { createDeltaQueue } from '../generation/delta-queue.ts';
import { ownTurn } from '../platform/event-loop.ts';
import type { Agent } from './agent.ts';
import { BEGUN, failed, runTool, type Ready } from './run-tool.ts';
import { deniedCall, withoutNeeds } from './settle-calls.ts';
import { isObject, parseJson } from '@parley/schema/json';
import * as z from 'zod';
import type { JsonSchema } from '../providers/tool-spec.ts';

const ISSUES_TOLD = 3;

const checkers = new WeakMap<JsonSchema, Checker>();

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

// Checks the arguments that a model wrote, before a tool gets them.
type CheckedInput = { args: Record<string, unknown> } | { error: string };

/** The arguments, or a sentence for the model. An empty text is an empty object. */
export function checkInput(input: string, parameters: JsonSchema): CheckedInput {
  const args = parse(input);
  if (!args) return { error: 'The arguments are not a JSON object.' };
  const error = checkerOf(parameters)(args);
  return error === null ? { args } : { error };
}

/** The text with the arguments as one form of it, whatever its spaces; null when it is no JSON of an object. */
function canonicalInput(input: string): string | null {
  const args = parse(input);
  return args && JSON.stringify(args);
}

function parse(input: string): Record<string, unknown> | null {
  const value = input.trim() === '' ? {} : parseJson(input);
  return isObject(value) ? value : null;
}

type Checker = (args: Record<string, unknown>) => string | null;

function checkerOf(parameters: JsonSchema): Checker {
  const known = checkers.get(parameters);
  if (known) return known;
  const checker = createChecker(parameters);
  checkers.set(parameters, checker);
  return checker;
}

/** By the whole schema where it can be read, else by the names of its properties. */
function createChecker(parameters: JsonSchema): Checker {
  try {
    const schema = z.fromJSONSchema({ ...parameters });
    return (args) => {
      // Not compiled: that would take the right to make code of strings.
      const { error } = schema.safeParse(args, { jitless: true });
      return error ? sentenceOf(error) : null;
    };
  } catch {
    return (args) => missingOrUnknown(args, parameters);
  }
}

function sentenceOf({ issues }: z.ZodError): string {
  const told = issues.slice(0, ISSUES_TOLD).map(({ path, message }) => {
    return path.length > 0 ? `${path.join('.')}: ${message}` : message;
  });
  return `The arguments do not fit. ${told.join('; ')}`;
}

function missingOrUnknown(args: Record<string, unknown>, { required, properties, additionalProperties }: JsonSchema) {
  const wanted = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  const missing = wanted.filter((name) => !Object.hasOwn(args, name));
  if (missing.length > 0) return `The arguments do not fit. Missing: ${missing.join(', ')}`;
  if (additionalProperties !== false || !isObject(properties)) return null;
  const unknown = Object.keys(args).filter((name) => !Object.hasOwn(properties, name));
  return unknown.length > 0 ? `The arguments do not fit. Unknown: ${unknown.join(', ')}` : null;
}
