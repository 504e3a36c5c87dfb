import { derivedId } from '../platform/derived-id.ts';
import { isoTime } from '../platform/iso-time.ts';

interface Slot {
  userId: string;
  scheduleId: string;
  slot: string;
}

/** The ids of the exchange of one slot. They follow from it, so any number of servers ask it once. */
export function runIds(of: Slot) {
  return {
    generationId: idOf(of, 'generation'),
    messageId: idOf(of, 'question'),
    replyId: deriveReplyId(of),
    conversationId: idOf(of, 'conversation'),
  };
}

export function deriveReplyId(of: Slot): string {
  return idOf(of, 'reply');
}

function idOf({ userId, scheduleId, slot }: Slot, what: string): string {
  return derivedId('schedule', userId, scheduleId, isoTime(slot), what);
}
