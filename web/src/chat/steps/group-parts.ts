import { PLAN_CALL, RESEARCH } from '@parley/schema/chat/research';
import type { MessagePart, ToolCall } from '@parley/schema/messages/messages';

/** A part of a reply on its own, or the tool calls of one step. `index` is that of the first part. */
export type PartGroup =
  | { type: 'part'; index: number; part: MessagePart }
  | { type: 'step'; index: number; calls: ToolCall[] };

/** Groups neighbouring tool calls of one step. Calls that a provider makes itself have no state and stay parts. */
export function groupParts(parts: readonly MessagePart[]): PartGroup[] {
  const groups: PartGroup[] = [];
  for (const [index, part] of parts.entries()) {
    if (part.type !== 'tool_call' || part.call.state === undefined) {
      groups.push({ type: 'part', index, part });
      continue;
    }
    const last = groups.at(-1);
    const isSameStep = last?.type === 'step' && part.call.step !== undefined && last.calls[0]?.step === part.call.step;
    if (isSameStep) last.calls.push(part.call);
    else groups.push({ type: 'step', index, calls: [part.call] });
  }
  return groups;
}

/** The plan of a research; undefined in any other reply. */
export function planIn(parts: readonly MessagePart[]): ToolCall | undefined {
  const [first] = parts;
  if (first?.type !== 'tool_call') return undefined;
  const { id, from } = first.call;
  return id === PLAN_CALL && from?.source === 'builtin' && from.id === RESEARCH ? first.call : undefined;
}

/** Whether a reply waits for its reader. */
export function isWaiting({ parts }: { parts: readonly MessagePart[] }): boolean {
  return parts.some((part) => part.type === 'tool_call' && part.call.state === 'waiting');
}
