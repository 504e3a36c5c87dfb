// The calls of a reply whose run has ended, or is to be resumed.
import {
  isLoopCall,
  type LoopCall,
  type LoopCallFacts,
  type MessagePart,
  type ToolCall,
} from '@parley/schema/messages/messages';
import { withoutPending } from '@parley/schema/messages/made-pictures';
import { DENIED, ENDED, failedOutput, STOPPED, UNKNOWN } from './failed-outputs.ts';

/** Why a run ended: by a person, by a failure or limit, or with its process. */
export type RunEnding = 'stopped' | 'ended' | 'lost';

/**
 * Gives every call that was being written or carried out when its run ended a state that lasts, and leaves out pictures
 * that were not finished.
 */
export function settleCalls(parts: readonly MessagePart[], why: RunEnding): MessagePart[] {
  return withoutPending(parts).map((part) => (isLoopCall(part) ? { ...part, call: settled(part.call, why) } : part));
}

/** Calls that wait for a person become denied. */
export function denyCalls(parts: readonly MessagePart[]): MessagePart[] {
  return parts.map((part) => {
    if (!isLoopCall(part) || part.call.state !== 'waiting') return part;
    return { ...part, call: deniedCall(part.call) };
  });
}

export function deniedCall(call: LoopCall): LoopCall {
  return { ...withoutNeeds(call), state: 'denied', output: DENIED, progress: 1 };
}

/** The call without what it waited for, and without the time that it took to say so. */
export function withoutNeeds(waiting: LoopCall): LoopCallFacts {
  const { needs: _needs, signInUrl: _url, does: _does, isAskedEachTime: _each, tookMs: _took, ...call } = waiting;
  return call;
}

/**
 * Whether the call is carried out when its reply is resumed: it waits for a decision, or its process died and it may be
 * called again, which its missing output shows.
 */
export function isPending({ state, output }: ToolCall): boolean {
  return state === 'waiting' || (state === 'stopped' && output === null);
}

/** Whether a reply has calls to resume. */
export function hasPendingCalls(parts: readonly MessagePart[]): boolean {
  return parts.some((part) => isLoopCall(part) && isPending(part.call));
}

function settled(call: LoopCall, why: RunEnding): LoopCall {
  if (call.state !== 'writing' && call.state !== 'running') return call;
  const ended = { ...call, progress: 1 };
  if (why === 'stopped') return { ...ended, state: 'stopped', output: STOPPED };
  if (call.state === 'writing') return { ...ended, state: 'stopped', output: failedOutput(ENDED) };
  if (!call.isRepeatable) return { ...ended, state: 'unknown', output: failedOutput(UNKNOWN) };
  return { ...ended, state: 'stopped', output: why === 'lost' ? null : failedOutput(ENDED) };
}
