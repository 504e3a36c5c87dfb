// What is chosen of the pictures of the next question, by conversation.
import { PICTURE_DEFAULTS, type PictureOptions } from '@parley/schema/pictures/models';
import type { PictureInput } from '@parley/schema/pictures/picture';
import { useSyncExternalStore } from 'react';
import type { Choice } from '../catalog/choose-model.ts';
import { askExtras } from '../chat/exchanges/prepare-ask.ts';
import { onClearPersonalData } from '../lib/personal-data.ts';

interface Wish extends PictureOptions {
  /** The picture whose marked place alone may change. */
  marked?: { fileId: string; maskFileId: string };
}

const wishes = new Map<string, Wish>();
/** The models that make the pictures of open conversations. */
const open = new Map<string, Pick<Choice, 'endpoint' | 'model'>>();
const listeners = new Set<() => void>();
let last = PICTURE_DEFAULTS;

onClearPersonalData(() => {
  wishes.clear();
  last = PICTURE_DEFAULTS;
});

askExtras.of = (conversationId, { endpoint, model }) => {
  const by = open.get(conversationId);
  return by?.endpoint === endpoint && by.model === model ? { picture: takeInput(conversationId) } : {};
};
askExtras.isOnlyHere = (conversationId) => open.has(conversationId);

/** Asks for pictures from now on, until the function that it returns is called. */
export function openPictures(conversationId: string, by: Pick<Choice, 'endpoint' | 'model'>): () => void {
  open.set(conversationId, by);
  return () => void open.delete(conversationId);
}

export function changeWish(conversationId: string, change: Partial<Wish>): void {
  const wish = { ...wishOf(conversationId), ...change };
  wishes.set(conversationId, wish);
  const { n, size, quality } = wish;
  last = { n, size, quality };
  tell();
}

export function dropMark(conversationId: string): void {
  const { marked: _marked, ...wish } = wishOf(conversationId);
  wishes.set(conversationId, wish);
  tell();
}

export function useWish(conversationId: string): Wish {
  return useSyncExternalStore(subscribe, () => wishOf(conversationId));
}

function wishOf(conversationId: string): Wish {
  return wishes.get(conversationId) ?? last;
}

/** A mark is for one question. */
function takeInput(conversationId: string): PictureInput {
  const { marked, ...options } = wishOf(conversationId);
  if (!marked) return options;
  queueMicrotask(() => dropMark(conversationId));
  return { ...options, from: [marked.fileId], maskFileId: marked.maskFileId };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}
