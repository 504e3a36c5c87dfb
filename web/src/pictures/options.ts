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
interface OpenPictures {
  by: PictureTarget;
  /** Whether a model makes pictures. */
  makes: (to: PictureTarget) => boolean;
}

type PictureTarget = Pick<Choice, 'endpoint' | 'model'>;

/** What makes the pictures of open conversations. */
const open = new Map<string, OpenPictures>();
const listeners = new Set<() => void>();
let last = PICTURE_DEFAULTS;

onClearPersonalData(() => {
  wishes.clear();
  last = PICTURE_DEFAULTS;
});

askExtras.of = (conversationId, to, kind) => {
  const shown = open.get(conversationId);
  if (!shown) return {};
  // The server adds what the answer began with: its pictures and its mask. A mark waits for the next question.
  if (kind === 'regenerate') return shown.makes(to) ? { picture: optionsOf(conversationId) } : {};
  const { endpoint, model } = shown.by;
  return endpoint === to.endpoint && model === to.model ? { picture: takeInput(conversationId) } : {};
};
askExtras.isOnlyHere = (conversationId) => open.has(conversationId);

/** Asks for pictures from now on, until the function that it returns is called. */
export function openPictures(conversationId: string, pictures: OpenPictures): () => void {
  open.set(conversationId, pictures);
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

function optionsOf(conversationId: string): PictureOptions {
  const { n, size, quality } = wishOf(conversationId);
  return { n, size, quality };
}

/** A mark is for one question. */
function takeInput(conversationId: string): PictureInput {
  const { marked } = wishOf(conversationId);
  const options = optionsOf(conversationId);
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
