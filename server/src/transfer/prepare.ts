// One piece of a file as something that can be stored, or why it cannot.
import { isUtf8 } from 'node:buffer';
import { TEXT_MAX } from '@parley/schema/ask';
import type { MessagePart } from '@parley/schema/messages';
import { cleanText } from '@parley/schema/clean-text';
import { TITLE_MAX } from '@parley/schema/convos';
import { IMPORT_MESSAGES_MAX, type SkipReason } from '@parley/schema/transfer';
import { titleIn, type Piece } from '@parley/schema/transfer-splitter';
import { arrange, isWithin, type Arranged } from './arrange.ts';
import { readConvo } from './recognise.ts';
import type { SourceConvo } from './source.ts';

export interface Prepared {
  index: number;
  convo: Omit<SourceConvo, 'messages' | 'dropped' | 'createdAt' | 'updatedAt'>;
  messages: Arranged[];
  /** In milliseconds since 1970. */
  createdAt: number;
  updatedAt: number;
  dropped: number;
  /** Bytes of its JSON. */
  size: number;
}

export interface Skipped {
  index: number;
  title: string | null;
  reason: SkipReason;
}

const DAY_MS = 24 * 60 * 60_000;

/** `now` in milliseconds since 1970: nothing was said much later. */
export function prepare(piece: Piece, now: number): Prepared | Skipped {
  const { index, size } = piece;
  if (piece.isTooLarge) return { index, title: cleanTitle(titleIn(piece.head)), reason: 'too_large' };
  // The bytes are taken away: a long conversation need not be in memory twice.
  const bytes = Buffer.concat(piece.bytes.splice(0));
  if (!isUtf8(bytes)) return { index, title: null, reason: 'wrong_encoding' };
  const value = parse(bytes.toString('utf8'));
  if (value === undefined) return { index, title: null, reason: 'malformed' };
  const source = readConvo(value);
  if (!source) return { index, title: titleOf(value), reason: 'unknown_kind' };
  const { messages: found, dropped, createdAt, updatedAt, ...convo } = source;
  const reason = refusalOf(source);
  if (reason) return { index, title: convo.title, reason };

  const range = { from: 0, to: now + DAY_MS };
  const known = (time: number | null) => (time !== null && isWithin(time, range) ? time : null);
  const { messages, repeated } = arrange(found, known(createdAt) ?? now, range);
  const newest = messages.reduce((latest, message) => Math.max(latest, message.createdAt), 0);
  return {
    index,
    size,
    convo,
    messages,
    createdAt: known(createdAt) ?? messages[0]?.createdAt ?? now,
    updatedAt: known(updatedAt) ?? newest,
    dropped: dropped + repeated,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function titleOf(value: unknown): string | null {
  const hasTitle = typeof value === 'object' && value !== null && 'title' in value;
  return hasTitle && typeof value.title === 'string' ? cleanTitle(value.title) : null;
}

function cleanTitle(title: string | null): string | null {
  return title === null ? null : cleanText(title).slice(0, TITLE_MAX).toWellFormed();
}

function refusalOf({ messages }: SourceConvo): SkipReason | null {
  if (messages.length === 0) return 'no_messages';
  if (messages.length > IMPORT_MESSAGES_MAX) return 'too_many_messages';
  return messages.some(({ parts }) => parts.some(isTooLong)) ? 'message_too_long' : null;
}

function isTooLong(part: MessagePart): boolean {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'error':
      return part.text.length > TEXT_MAX;
    case 'tool_call':
      return part.call.input.length > TEXT_MAX || (part.call.output?.length ?? 0) > TEXT_MAX;
    case 'image':
      return false;
    default:
      return part satisfies never;
  }
}
