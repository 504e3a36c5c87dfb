import type { GenerationEvent } from '@parley/schema/generation/events';
import { fold, merge } from '@parley/schema/generation/fold';
import type { Message } from '@parley/schema/messages/messages';
import { flatten } from './entries.ts';

/** Events merged into one piece of text. */
const PIECE_EVENTS = 256;

/** The growing reply of a run: text is collected, and folded when another kind of event comes or the reply is read. */
export interface ReplyBuilder {
  add(event: GenerationEvent): void;
  reply(): Message;
}

/**
 * Flattens the text piece by piece: flattening all of it again and again would copy a long reply thousands of times,
 * and the garbage would stop the process for seconds.
 */
export function createReplyBuilder(start: Message): ReplyBuilder {
  let folded = start;
  /** The flat text before `pending`, if that is text. */
  let pieces: string[] = [];
  let pending: GenerationEvent | null = null;
  let merged = 0;
  return { add, reply };

  function add(event: GenerationEvent): void {
    const both = pending && merge(pending, event);
    if (!both) folded = reply();
    pending = both ?? event;
    merged += 1;
    if (merged % PIECE_EVENTS === 0) pending = withoutPiece(pending);
  }

  /** Moves the text of an event to the pieces. */
  function withoutPiece(event: GenerationEvent): GenerationEvent {
    if (event.type !== 'text' && event.type !== 'reasoning') return event;
    flatten(event.text);
    pieces.push(event.text);
    return { ...event, offset: event.offset + event.text.length, text: '' };
  }

  function withPieces(event: GenerationEvent): GenerationEvent {
    if (event.type !== 'text' && event.type !== 'reasoning') return event;
    const before = pieces.join('');
    return { ...event, offset: event.offset - before.length, text: before + event.text };
  }

  function reply(): Message {
    if (pending) folded = fold(folded, withPieces(pending));
    pending = null;
    pieces = [];
    return folded;
  }
}
