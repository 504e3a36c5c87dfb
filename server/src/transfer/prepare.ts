// Parses and checks one item of a file: the result can be stored, or carries the reason why not.
import { isUtf8 } from 'node:buffer';
import { TEXT_MAX } from '@parley/schema/chat/ask';
import { toolLog, type MessagePart } from '@parley/schema/messages/messages';
import { cleanText } from '@parley/schema/clean-text';
import { TITLE_MAX } from '@parley/schema/convos/convos';
import { IMPORT_MESSAGES_MAX, type ImportItem, type SkipReason } from '@parley/schema/transfer/results';
import { titleIn, type Piece } from '@parley/schema/transfer/splitter';
import { createSlices, type Slices } from '../platform/event-loop.ts';
import { buildTree, isWithin, type TreeMessage } from './build-tree.ts';
import { readConvos } from './detect-format.ts';
import { describeUnread } from './formats/other-products.ts';
import type { StoredLinks } from './stored-links.ts';
import { parseJson } from './parse-json.ts';
import type { SourceConvo } from './source.ts';

export interface Prepared {
  index: number;
  /** Its place in an object that has several. */
  part?: number;
  convo: Omit<SourceConvo, 'messages' | 'dropped' | 'droppedMessages' | 'createdAt' | 'updatedAt'>;
  messages: TreeMessage[];
  /** Unix time in milliseconds. */
  createdAt: number;
  updatedAt: number;
  dropped: number;
  /** Of these, whole messages. */
  droppedMessages: number;
  /** Size of its JSON in bytes. */
  size: number;
}

export type Skipped = Pick<
  Extract<ImportItem, { outcome: 'skipped' }>,
  'index' | 'part' | 'title' | 'reason' | 'product'
>;

const DAY_MS = 24 * 60 * 60_000;

/** Messages per slice: about ten milliseconds of work. */
const MESSAGES_AT_ONCE = 200;

/**
 * Yields the conversations of an object: mostly it is one. `now` is Unix time in milliseconds: later times in the file
 * are errors.
 */
export async function* prepare(
  piece: Piece,
  now: number,
  slices: Slices = createSlices(MESSAGES_AT_ONCE),
  stored?: StoredLinks,
): AsyncGenerator<Prepared | Skipped, void> {
  const { index, size } = piece;
  if (piece.isTooLarge) return yield { index, title: cleanTitle(titleIn(piece.head)), reason: 'too_large' };
  // Empties the list, so that a long conversation is not in memory twice.
  const bytes = Buffer.concat(piece.bytes.splice(0));
  if (!isUtf8(bytes)) return yield { index, title: null, reason: 'wrong_encoding' };
  const value = await parse(bytes);
  if (value === undefined) return yield { index, title: null, reason: 'malformed' };
  const sources = await readConvos(value, slices, stored);
  if (!sources) return yield { index, title: titleOf(value), ...(describeUnread(value) ?? { reason: 'unknown_kind' }) };
  const many = sources.length;
  for (const [part, source] of sources.entries()) {
    const one = await prepareSource(source, { index, size: Math.ceil(size / many) }, now, slices);
    yield many === 1 ? one : { ...one, part };
  }
  if (many === 0) yield { index, title: null, reason: 'no_messages' };
}

/** Checks and sorts a conversation that has been read. */
export async function prepareSource(
  source: SourceConvo,
  { index, size }: Pick<Piece, 'index' | 'size'>,
  now: number,
  slices: Slices,
): Promise<Prepared | Skipped> {
  const { messages: found, dropped, droppedMessages, createdAt, updatedAt, ...convo } = source;
  const reason = refusalOf(source);
  if (reason) return { index, title: convo.title, reason };

  const range = { from: 0, to: now + DAY_MS };
  const known = (time: number | null) => (time !== null && isWithin(time, range) ? time : null);
  const { messages, repeated } = await buildTree(found, known(createdAt) ?? now, range, slices);
  const newest = messages.reduce((latest, message) => Math.max(latest, message.createdAt), 0);
  return {
    index,
    size,
    convo,
    messages,
    createdAt: known(createdAt) ?? messages[0]?.createdAt ?? now,
    updatedAt: known(updatedAt) ?? newest,
    dropped: dropped + repeated,
    droppedMessages: (droppedMessages ?? 0) + repeated,
  };
}

async function parse(bytes: Buffer): Promise<unknown> {
  try {
    return await parseJson(bytes);
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
      return [part.call.input, part.call.output ?? '', toolLog(part.call)].some(({ length }) => length > TEXT_MAX);
    case 'image':
    case 'file':
    case 'pending_picture':
      return false;
    default:
      return part satisfies never;
  }
}
