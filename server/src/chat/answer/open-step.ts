// The step of a reply whose calls wait, or were interrupted: a resumed reply goes on there.
import type { Decision, Target } from '@parley/schema/chat/ask';
import { isLoopCall, type Message } from '@parley/schema/messages/messages';
import { messageText } from '@parley/schema/messages/messages';
import { readWebSources } from '@parley/schema/tools/web-sources';
import type { OpenStep } from '../../agents/agent.ts';
import { isPending } from '../../agents/settle-calls.ts';
import { partSignatures, splitSteps, type StepRules } from '../context/steps.ts';

/** Finds the first part's index of that step, and the step; null when a reply has no call to continue. */
export function findOpenStep(
  reply: Pick<Message, 'parts'>,
  target: Target,
  rules: StepRules,
): { from: number; step: OpenStep } | null {
  const last = splitSteps(reply.parts).steps.at(-1);
  if (!last?.calls.some(isPending)) return null;
  const { from, parts, calls } = last;
  const decisions = target.kind === 'resume' ? target.decisions : denied(calls.map(({ id }) => id));
  return {
    from,
    step: {
      text: messageText({ parts }),
      signatures: partSignatures(parts, rules),
      calls,
      decisions: forWaiting(decisions),
    },
  };

  /** A decision is about a call that waits; others are run again without being asked about. */
  function forWaiting(given: Readonly<Record<string, Decision>>): Record<string, Decision> {
    const waiting = new Set(calls.filter(({ state }) => state === 'waiting').map(({ id }) => id));
    return Object.fromEntries(Object.entries(given).filter(([id]) => waiting.has(id)));
  }
}

/** Gives the first step's number of another run of this reply. */
export function nextStepNumber({ parts }: Pick<Message, 'parts'>): number {
  return parts.reduce((next, part) => (isLoopCall(part) ? Math.max(next, (part.call.step ?? 0) + 1) : next), 0);
}

/** Gives the greatest number of a web source in this reply; 0 without any. */
export function lastSourceNumberIn({ parts }: Pick<Message, 'parts'>): number {
  const shown = parts.flatMap((part) => (isLoopCall(part) ? readWebSources(part.call.output ?? '') : []));
  return shown.reduce((most, { n }) => Math.max(most, n), 0);
}

/** Anyone who goes on without deciding goes on without the calls. */
function denied(ids: readonly string[]): Record<string, Decision> {
  return Object.fromEntries(ids.map((id) => [id, 'deny' as const]));
}
