// Runs a call: it begins, its provider answers, and it is charged, even if its caller leaves.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Usage } from '@parley/schema/catalog/usage';
import type { Reason } from '@parley/schema/reasons';
import type { CallMeter } from '../../billing/call-meter.ts';
import { NOTHING } from '../../billing/usage.ts';
import type { Delta } from '../../generation/delta.ts';
import { stoppable, createReplyGuard, type ReplyLimits } from '../../generation/reply-guard.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { ModerateWords } from '../checks/moderation.ts';
import type { ApiCall } from './api-call.ts';
import type { BeginningRuns } from '../begin/beginning-runs.ts';
import { beginCall, type BeginDeps } from './begin-call.ts';
import { endCall } from './end-call.ts';
import type { RunningCalls } from './running-calls.ts';

export interface CallDeps extends BeginDeps {
  beginning: BeginningRuns;
  running: RunningCalls;
  /** Null where it is off. */
  moderateWords: ModerateWords | null;
  limitsOfReplies: ReplyLimits;
  metrics: Metrics | null;
  onFault: (error: unknown, call: ApiCall) => void;
}

/** Asks the provider. `onBytes` is called whenever something of its answer arrives. */
export type AskProvider = (signal: AbortSignal, onBytes: () => void) => AsyncIterable<Delta>;

/** Limits how long a stopped provider may take to end, in milliseconds. */
const STOP_GRACE_MS = 5000;
/** Sets the delays between the tries to charge a call, in milliseconds; recovery settles what then fails. */
const SETTLE_RETRIES_MS = [200, 1000, 3000];

export interface RunningCall {
  /** To be read at once, to its end or until it is left by `return`. @throws Refusal */
  deltas: AsyncGenerator<Delta>;
  /** Tells what the call has used, once it has ended. */
  used(): Usage;
}

/**
 * Begins a call; `client` aborts when the asker goes away.
 * @throws Refusal when it may not begin
 */
export async function startCall(
  deps: CallDeps,
  call: ApiCall,
  ask: AskProvider,
  client: AbortSignal,
): Promise<RunningCall> {
  const controller = new AbortController();
  return deps.beginning.hold([call.id], async () => {
    const reserved = await beginCall(deps, call);
    const remove = deps.running.add(call.id, controller);
    const meter = deps.billing.meter(call.charge, reserved, false);
    const end: RunEnd = { used: NOTHING, begunAt: performance.now() };
    return { deltas: run(deps, call, { meter, end, ask, client, controller, remove }), used: () => end.used };
  });
}

interface RunEnd {
  /** Written when the call has ended. */
  used: Usage;
  /** It is a time by `performance.now()`. */
  begunAt: number;
}

interface Run {
  meter: CallMeter;
  end: RunEnd;
  ask: AskProvider;
  client: AbortSignal;
  controller: AbortController;
  /** Takes the call out of those that run. */
  remove(): void;
}

async function* run(deps: CallDeps, call: ApiCall, running: Run): AsyncGenerator<Delta> {
  const { meter, end, ask, client, controller, remove } = running;
  const leave = () => controller.abort('left');
  client.addEventListener('abort', leave);
  if (client.aborted) leave();
  const guard = createReplyGuard(deps.limitsOfReplies, (cause) => controller.abort(cause));
  const { signal } = controller;
  const metered = meter.pass((until) => ask(until, guard.alive), call.charge.countPromptTokens, signal);
  let reason: Reason | null = null;
  let isWhole = false;
  deps.metrics?.generationStarted();
  try {
    for await (const delta of stoppable(metered, signal, STOP_GRACE_MS)) {
      if (delta.type !== 'usage') guard.output();
      if ('text' in delta) guard.add({ type: 'text', part: 0, offset: 0, text: delta.text });
      yield delta;
    }
    isWhole = !signal.aborted;
    // A limit, or the server, has ended it.
    const why =
      guard.reason ?? (signal.aborted && signal.reason !== 'left' ? ({ type: 'interrupted' } as const) : null);
    if (why) throw new Refusal(why);
  } catch (error) {
    isWhole = false;
    reason = guard.reason ?? reasonOf(deps, call, error, signal);
    if (reason) throw new Refusal(reason);
  } finally {
    client.removeEventListener('abort', leave);
    guard.end();
    controller.abort('left');
    end.used = { ...(await spentOn(meter, reason)), tookMs: Math.round(performance.now() - end.begunAt) };
    await settle(deps, call, { usage: end.used, reason, isIncomplete: !isWhole });
    deps.metrics?.generationEnded(reason ? 'failed' : isWhole ? 'complete' : 'stopped');
    remove();
  }
}

/** What failed without a word costs nothing. */
async function spentOn(meter: CallMeter, reason: Reason | null): Promise<Usage> {
  const spent = await meter.used();
  return spent.estimated === true && spent.output === 0 && reason !== null ? NOTHING : spent;
}

/** Null for anyone who left: nobody reads it. */
function reasonOf(deps: CallDeps, call: ApiCall, error: unknown, signal: AbortSignal): Reason | null {
  if (signal.aborted) return signal.reason === 'left' ? null : { type: 'interrupted' };
  if (error instanceof Refusal) return error.reason;
  deps.onFault(error, call);
  return { type: 'unknown', text: 'Something went wrong on the server.' };
}

async function settle(deps: CallDeps, call: ApiCall, end: Parameters<typeof endCall>[3]): Promise<void> {
  for (const wait of [...SETTLE_RETRIES_MS, null]) {
    try {
      await endCall(deps.db, deps.owner, call, end);
      if (call.kind === 'api') deps.metrics?.tokensUsed(end.usage.input, end.usage.output);
      return;
    } catch (error) {
      if (wait === null) return deps.onFault(error, call);
      await sleep(wait);
    }
  }
}
