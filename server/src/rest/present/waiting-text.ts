// What existing clients show of calls that wait for a person: they draw such a call as one that still runs, without end.
import type { MessagePart, ToolCall } from '@parley/schema/messages/messages';

/** A sentence for each call that waits for a decision or a sign-in on Parley's page; empty without any. */
export function waitingText(parts: readonly MessagePart[]): string {
  return parts
    .flatMap((part) => (part.type === 'tool_call' && part.call.state === 'waiting' ? sentenceFor(part.call) : []))
    .join('\n\n');
}

function sentenceFor({ name, needs, does, from }: ToolCall): string {
  const caller = from?.label ?? name;
  return needs === 'sign_in'
    ? `${caller} waits until you sign in to it. Open this chat in Parley to do so.`
    : `${caller} waits for your permission: ${does ?? name}. Open this chat in Parley to allow or deny it.`;
}
