import { cleanJson } from '@parley/schema/clean-text';
import type { FinishReason, Message } from '@parley/schema/messages';
import type { Reason } from '@parley/schema/reasons';

/** Why a run was ended from outside. `shutdown` and `lost` save nothing: another process finishes the reply. */
export type Ending = 'stop' | 'stall' | 'shutdown' | 'lost';

export interface Ended {
  reply: Message;
  ending: Ending | null;
  finish: FinishReason | null;
  failure: Reason | null;
  /** How long the provider may be silent, in seconds. */
  patience: number;
}

/** The reply as it is saved: how it ended, and why if it failed. What had arrived is always kept. */
export function outcomeOf(ended: Ended): Message {
  // It may quote a provider.
  const reason = cleanJson(reasonOf(ended));
  const stopped = ended.ending === 'stop' || reason !== null;
  return {
    ...ended.reply,
    unfinished: false,
    reason,
    finishReason: stopped ? 'incomplete' : ended.finish,
  };
}

function reasonOf({ reply, ending, finish, failure, patience }: Ended): Reason | null {
  if (ending === 'stop') return null;
  if (ending === 'stall') return { type: 'provider_stalled', seconds: patience };
  // Once it has said why it stops, the answer is whole, however the connection ends.
  if (failure && finish === null) return failure;
  // A stream that just ends was cut somewhere on the way: no provider leaves out why it stopped.
  if (finish === null) return { type: 'provider_broke_off' };
  if (reply.parts.some((part) => part.type !== 'reasoning' && (part.type !== 'text' || part.text !== ''))) return null;
  return finish === 'content_filter' ? { type: 'content_filtered' } : { type: 'empty_answer' };
}
