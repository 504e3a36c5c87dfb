// The stored scroll position of each conversation. A conversation left at its end has none: it opens at its end again.
import { asFields, isTypedRecord } from '@parley/schema/json';
import { readStored, writeStored } from '../../lib/storage.ts';
import { readSetting } from '../../stored-settings.ts';

export interface ScrollPosition {
  /** The message at the viewport's top edge. */
  messageId: string;
  /** Pixels of it above that edge. */
  offset: number;
}

const KEY = 'places';
/** Conversations kept; drops the least recently left. */
const CONVERSATIONS_MAX = 100;

/** None where its person wants to begin at the newest message. */
export function findScrollPosition(conversationId: string): ScrollPosition | undefined {
  return readSetting('autoScroll') ? undefined : listScrollPositions()[conversationId];
}

/** Null deletes the stored position. */
export function saveScrollPosition(conversationId: string, position: ScrollPosition | null): void {
  const { [conversationId]: before, ...others } = listScrollPositions();
  if (!before && !position) return;
  const remaining = Object.entries(others).slice(1 - CONVERSATIONS_MAX);
  writeStored(KEY, Object.fromEntries(position ? [...remaining, [conversationId, position]] : remaining));
}

function listScrollPositions(): Record<string, ScrollPosition> {
  return readStored(KEY, {}, parseScrollPositions);
}

function parseScrollPositions(stored: unknown): Record<string, ScrollPosition> | undefined {
  return isTypedRecord(stored, isScrollPosition) ? stored : undefined;
}

function isScrollPosition(value: unknown): value is ScrollPosition {
  const { messageId, offset } = asFields(value);
  return typeof messageId === 'string' && Number.isFinite(offset);
}
