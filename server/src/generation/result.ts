import { cleanJson } from '@parley/schema/clean-text';
import type { FinishReason, Message, MessagePart } from '@parley/schema/messages/messages';
import type { Reason } from '@parley/schema/reasons';

/**
 * Why a run was ended from outside; `stall` and `cut` have their reason as a failure. `shutdown` and `lost` save
 * nothing: another process finishes the reply.
 */
export type AbortCause = 'stop' | 'stall' | 'cut' | 'shutdown' | 'lost';

export interface RunEnd {
  reply: Message;
  cause: AbortCause | null;
  finish: FinishReason | null;
  failure: Reason | null;
}

/** Gives the reply to save: its end state, and the reason if it failed. Received text is always kept. */
export function endedReply(ended: RunEnd): Message {
  // It may quote a provider.
  const reason = cleanJson(reasonOf(ended));
  const stopped = ended.cause === 'stop' || reason !== null;
  return {
    ...ended.reply,
    unfinished: false,
    reason,
    finishReason: stopped ? 'incomplete' : ended.finish,
  };
}

function reasonOf({ reply, cause, finish, failure }: RunEnd): Reason | null {
  if (cause === 'stop') return null;
  if (cause === 'stall') return failure;
  // After a finish reason the reply is complete, however the connection ends.
  if (failure && finish === null) return failure;
  // A stream without a finish reason was cut off: every provider sends one.
  if (finish === null) return { type: 'provider_broke_off' };
  if (reply.parts.some(isReplyEnd)) return null;
  return finish === 'content_filter' ? { type: 'content_filtered' } : { type: 'empty_answer' };
}

/**
 * Reasoning is none, and neither is what only precedes a reply: a search in attached files, a tool that is missing.
 */
function isReplyEnd(part: MessagePart): boolean {
  if (part.type === 'text') return part.text !== '';
  if (part.type !== 'tool_call') return part.type !== 'reasoning';
  const { kind, step, state } = part.call;
  return step !== undefined || (kind !== 'retrieval' && state === undefined);
}
