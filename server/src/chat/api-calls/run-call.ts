// Runs a call: it begins, its provider answers, and it is charged, whoever leaves.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Usage } from '@parley/schema/messages/messages';
import type { Reason } from '@parley/schema/reasons';
import type { Reservation } from '../../billing/reservation.ts';
import { createUsageCounter } from '../../billing/usage-counter.ts';
import { pricedAt } from '../../billing/usage.ts';
import type { Delta } from '../../generation/delta.ts';
import { createReplyGuard, type ReplyLimits } from '../../generation/reply-guard.ts';
import { stoppable } from '../../generation/stoppable.ts';
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

/** How long a provider that was stopped may take to end, in milliseconds. */
const STOP_GRACE_MS = 5000;
/** The delays between the tries to charge a call, in milliseconds; what then fails is settled by recovery. */
const SETTLE_RETRIES_MS = [200, 1000, 3000];

export interface RunningCall {
  /** To be read at once, to its end or until it is left by `return`. @throws Refusal */
  deltas: AsyncGenerator<Delta>;
  /** What the call has used, once it has ended. */
  used(): Usage;
}

/**
 * Begins a call; `client` aborts when whoever asked goes away.
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
    const count = createCount(call, reserved);
    return { deltas: run(deps, call, { reserved, count, ask, client, controller, remove }), used: count.used };
  });
}

interface Run {
  reserved: Reservation | null;
  count: Count;
  ask: AskProvider;
  client: AbortSignal;
  controller: AbortController;
  /** Takes the call out of those that run. */
  remove(): void;
}

async function* run(deps: CallDeps, call: ApiCall, running: Run): AsyncGenerator<Delta> {
  const { reserved, count, ask, client, controller, remove } = running;
  const leave = () => controller.abort('left');
  client.addEventListener('abort', leave);
  if (client.aborted) leave();
  const guard = createReplyGuard(deps.limitsOfReplies, (cause) => controller.abort(cause));
  const { signal } = controller;
  const metered = deps.billing.meter(call.charge, reserved, (until) => ask(until, guard.alive), signal);
  let reason: Reason | null = null;
  let isWhole = false;
  deps.metrics?.generationStarted();
  try {
    for await (const delta of stoppable(metered, signal, STOP_GRACE_MS)) {
      if (delta.type !== 'usage') guard.output();
      if ('text' in delta) guard.add({ type: 'text', part: 0, offset: 0, text: delta.text });
      count.add(delta);
      yield delta;
    }
    isWhole = !signal.aborted;
    // A limit, or the server, has ended it.
    const why = guard.reason ?? (isEnded(signal) ? ({ type: 'interrupted' } as const) : null);
    if (why) throw new Refusal(why);
  } catch (error) {
    isWhole = false;
    reason = guard.reason ?? reasonOf(deps, call, error, signal);
    if (reason) throw new Refusal(reason);
  } finally {
    client.removeEventListener('abort', leave);
    guard.end();
    controller.abort('left');
    await settle(deps, call, { usage: count.used(), reason, isIncomplete: !isWhole });
    deps.metrics?.generationEnded(reason ? 'failed' : isWhole ? 'complete' : 'stopped');
    remove();
  }
}

/** Null for whoever left: nobody reads it. */
function reasonOf(deps: CallDeps, call: ApiCall, error: unknown, signal: AbortSignal): Reason | null {
  if (signal.aborted) return signal.reason === 'left' ? null : { type: 'interrupted' };
  if (error instanceof Refusal) return error.reason;
  deps.onFault(error, call);
  return { type: 'unknown', text: 'Something went wrong on the server.' };
}

function isEnded({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason !== 'left';
}

interface Count {
  add(delta: Delta): void;
  used(): Usage;
}

/** What the provider reports, or an estimate for what it does not. */
function createCount({ promptTokens, charge }: ApiCall, reserved: Reservation | null): Count {
  const counter = createUsageCounter();
  const begunAt = performance.now();
  let reported: { input: number; output: number } | null = null;
  let hasFinished = false;
  return {
    add(delta) {
      if (delta.type === 'usage') reported = { input: delta.input, output: delta.output };
      if (delta.type === 'finish') hasFinished = true;
      counter.add(delta);
    },
    used: () => ({ ...pricedAt(charge.rates, count()), tookMs: Math.round(performance.now() - begunAt) }),
  };

  function count(): Usage {
    const output = counter.tokens();
    const input = reserved?.promptTokens ?? promptTokens;
    if (!reported) return { input, output, estimated: true };
    // Usage reported at the beginning covers the prompt only.
    const isPart = (!hasFinished || reported.output === 0) && reported.output <= output;
    return isPart ? { input: reported.input, output, estimated: true } : reported;
  }
}

async function settle(deps: CallDeps, call: ApiCall, end: Parameters<typeof endCall>[3]): Promise<void> {
  for (const wait of [...SETTLE_RETRIES_MS, null]) {
    try {
      await endCall(deps.db, deps.owner, call, end);
      deps.metrics?.tokensUsed(end.usage.input, end.usage.output);
      return;
    } catch (error) {
      if (wait === null) return deps.onFault(error, call);
      await sleep(wait);
    }
  }
}
