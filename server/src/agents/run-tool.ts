// Carries out one call of a tool: with its time limit, its log, and a state that shows how it ended.
import { toolLog, type LoopCall, type LoopCallFacts, type ToolOutput } from '@parley/schema/messages/messages';
import type { Delta } from '../generation/delta.ts';
import type { AbortCause } from '../generation/runs.ts';
import { withDeadline } from '../platform/deadline.ts';
import { Refusal } from '../platform/errors.ts';
import { cutOutput, LOG_CHARS_MAX, OUTPUT_CHARS_MAX } from '../tools/cut-output.ts';
import type { Tool, ToolOutcome, ToolRun } from '../tools/tool.ts';
import type { Agent } from './agent.ts';
import { ENDED, failedOutput, STOPPED } from './failed-outputs.ts';

type RunningCall = LoopCallFacts & { state: 'running' };

export interface Ready {
  call: RunningCall;
  tool: Tool;
  args: Record<string, unknown>;
}

/** The progress of a call that has begun; tools that report theirs go on from there. */
export const BEGUN = 0.2;
/** A smaller step is not sent. */
const PROGRESS_STEP = 0.05;

type Ending = ToolOutcome | { type: 'late' } | { type: 'aborted' };

/**
 * Calls the tool and reports events by `push`. Returns the call as it ended; still `running` when the run ends in a
 * way after which another process goes on with it.
 * @throws Refusal of the tool, which ends the reply
 */
export async function runTool(
  { call, tool, args }: Ready,
  agent: Agent,
  push: (delta: Delta) => void,
  signal: AbortSignal,
  { msLeft, said }: { msLeft: number; said: readonly string[] },
): Promise<LoopCall> {
  const began = performance.now();
  const reporting = createReporting(call, push);
  const timeoutMs = Math.min(tool.limits.timeoutMs, msLeft);
  const { userId, convoId, generationId } = agent;
  const run = { userId, convoId, generationId, callId: call.id, args, said, report: reporting.report };
  const ending = await endingOf(tool, run, agent, signal, timeoutMs);
  reporting.end();
  const ended = endedCall(reporting.call(), ending, tool, timeoutMs, signal);
  if (ended.state === 'running') return ended;
  const tookMs = Math.round(performance.now() - began);
  if (ending.type === 'failed' && ending.service && !signal.aborted)
    agent.onServiceFailure({ tool: tool.name, ms: tookMs, ...ending.service });
  const whole = { ...ended, tookMs };
  push({ type: 'tool', call: whole });
  return whole;
}

/** Waits for the tool; one that was stopped has a moment to end, then it is left alone. */
async function endingOf(
  tool: Tool,
  run: Omit<ToolRun, 'signal'>,
  agent: Agent,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<Ending> {
  const until = withDeadline(timeoutMs, signal);
  const left = leftAlone(until, agent.limits.stopMs);
  try {
    const outcome = Promise.resolve().then(() => tool.run({ ...run, signal: until }));
    return await Promise.race([outcome.catch((error: unknown) => failureOf(error, agent, until)), left.promise]);
  } finally {
    left.cancel();
  }

  function failureOf(error: unknown, { onFault }: Agent, stopped: AbortSignal): Ending {
    if (stopped.aborted) return signal.aborted ? { type: 'aborted' } : { type: 'late' };
    if (error instanceof Refusal) throw error;
    onFault(error);
    return { type: 'failed', text: 'The tool failed unexpectedly.' };
  }

  function leftAlone(stopped: AbortSignal, ms: number): { promise: Promise<Ending>; cancel(): void } {
    let timer: NodeJS.Timeout | undefined;
    const promise = new Promise<Ending>((resolve) => {
      const give = () => resolve(signal.aborted ? { type: 'aborted' } : { type: 'late' });
      const onAbort = () => (timer = setTimeout(give, ms));
      if (stopped.aborted) onAbort();
      else stopped.addEventListener('abort', onAbort, { once: true });
    });
    return { promise, cancel: () => clearTimeout(timer) };
  }
}

function endedCall(call: RunningCall, ending: Ending, tool: Tool, timeoutMs: number, signal: AbortSignal): LoopCall {
  const cause = signal.reason as AbortCause | undefined;
  switch (ending.type) {
    case 'done':
    case 'failed': {
      // What a tool answers to its own abort is no result of the call.
      if (ending.type === 'failed' && signal.aborted)
        return endedCall(call, { type: 'aborted' }, tool, timeoutMs, signal);
      const text = cutOutput(ending.text, Math.min(tool.limits.outputChars, OUTPUT_CHARS_MAX));
      const output = ending.type === 'done' ? text : failedOutput(text);
      return { ...call, state: ending.type, output, progress: 1, ...outputsOf(call, ending.outputs) };
    }
    case 'needs':
      return ending.what === 'sign_in'
        ? { ...call, state: 'waiting', needs: 'sign_in', ...(ending.url !== null && { signInUrl: ending.url }) }
        : { ...call, state: 'waiting', needs: 'approval' };
    case 'late':
      return failed(call, `It took longer than ${Math.round(timeoutMs / 1000)} seconds.`);
    case 'aborted':
      // Another process goes on with the reply, and finds the call running.
      if (cause === 'shutdown' || cause === 'lost') return call;
      if (cause === 'stop') return { ...call, state: 'stopped', output: STOPPED, progress: 1 };
      return { ...call, state: 'stopped', output: failedOutput(ENDED), progress: 1 };
    default:
      return ending satisfies never;
  }
}

/** A call that failed for this reason, sent to the model as an error. */
export function failed(call: LoopCallFacts, sentence: string): LoopCall {
  return { ...call, state: 'failed', output: failedOutput(sentence), progress: 1 };
}

/** What the tool returns, after its reported log unless it returns a log itself. */
function outputsOf(call: LoopCallFacts, made: readonly ToolOutput[] = []): Pick<LoopCallFacts, 'outputs'> {
  const hasLog = made.some(({ type }) => type === 'logs');
  const remaining = made.map((one) =>
    one.type === 'logs' ? { ...one, text: cutOutput(one.text, LOG_CHARS_MAX) } : one,
  );
  const outputs = [...(hasLog ? [] : (call.outputs ?? [])), ...remaining];
  return outputs.length > 0 ? { outputs } : {};
}

/** Tells the log and the progress that a tool reports, each only so far as it is kept. */
function createReporting(begun: RunningCall, push: (delta: Delta) => void) {
  let call = begun;
  let isOver = false;
  return { report, call: () => call, end: () => (isOver = true) };

  function report({ log, progress }: { log?: string; progress?: number }): void {
    if (isOver) return;
    const text = log?.slice(0, Math.max(0, LOG_CHARS_MAX - toolLog(call).length)) ?? '';
    if (text !== '') {
      call = { ...call, outputs: [{ type: 'logs', text: toolLog(call) + text }] };
      push({ type: 'log', id: call.id, text });
    }
    const part = BEGUN + (1 - BEGUN) * Math.min(1, Math.max(0, progress ?? 0));
    const reached = Math.round(part * 100) / 100;
    if (reached < call.progress + PROGRESS_STEP || reached >= 1) return;
    call = { ...call, progress: reached };
    push({ type: 'tool', call });
  }
}
