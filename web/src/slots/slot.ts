// A slot is one chat pane. The first follows the address bar; others could stand next to it with the same components,
// which read their slot from the context. A slot stores only what is nowhere else: a conversation has its own endpoint
// and model, a new chat gets them from `catalog/`.
import { atom, useAtomValue, type PrimitiveAtom } from 'jotai';
import { createContext, useContext } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { session } from '../session/current-session.ts';
import type { Choice } from '../catalog/choose-model.ts';
import {
  clearNewChatChoices,
  readNewChatChoices,
  readNewChatTarget,
  saveNewChatChoice,
  saveNewChatTarget,
  wasReloaded,
  type NewChatTarget,
} from '../catalog/new-chat-choices.ts';
import { newId } from '../lib/new-id.ts';
import { NEW_CHAT } from './new-chat.ts';
import type { Store } from '../lib/jotai-store.ts';

export interface Slot extends NewChatTarget {
  /** Created in the browser, also for a new chat. */
  conversationId: string;
  /** Nothing is sent yet: the server does not know it. */
  isNewChat: boolean;
  /** The user's choice since the conversation was opened. */
  choice: Choice | null;
}

/** The slot that the address bar controls. */
export const FIRST_SLOT = 0;

const slots = new Map<number, PrimitiveAtom<Slot>>();

/** The next user must not see the previous user's choices. */
session.onBoundary(() => {
  slots.clear();
  clearNewChatChoices();
});

export function slotAtom(index: number): PrimitiveAtom<Slot> {
  const known = slots.get(index) ?? (index === FIRST_SLOT ? createStoredSlot() : atom(newChatSlot(null)));
  slots.set(index, known);
  return known;
}

/** A slot whose new chat and its choice survive a reload. */
function createStoredSlot(): PrimitiveAtom<Slot> {
  if (!wasReloaded()) clearNewChatChoices();
  const slot = atom<Slot>(newChatSlot(readNewChatChoices().at(-1) ?? null, readNewChatTarget()));
  return atom(
    (get) => get(slot),
    (get, set, change) => {
      const before = get(slot);
      set(slot, change);
      const now = get(slot);
      const { conversationId, isNewChat, choice } = now;
      if (conversationId !== before.conversationId || !isNewChat) clearNewChatChoices();
      if (!isNewChat) return;
      if (choice) saveNewChatChoice(choice);
      saveNewChatTarget(now);
    },
  );
}

export const SlotContext = createContext(FIRST_SLOT);

export function useSlotIndex(): number {
  return useContext(SlotContext);
}

export function useSlot(): Slot {
  return useAtomValue(slotAtom(useSlotIndex()));
}

/** The key of the slot's draft. */
export function draftKeyOf(slot: Slot): string {
  return slot.isNewChat ? NEW_CHAT : slot.conversationId;
}

/** Opens an address (`new` or a conversation id) in the slot, unless it is already open. */
export function openInSlot(store: Store, index: number, address: string): void {
  if (addressOf(store.get(slotAtom(index))) === address) return;
  const slot = address === NEW_CHAT ? newChatSlot(null) : { conversationId: address, isNewChat: false, choice: null };
  store.set(slotAtom(index), slot);
}

/** Starts a new chat with the given endpoint and model, in a folder if one is given. */
export function startNewChat(store: Store, index: number, choice: Choice | null, folderId?: string): void {
  showSlot(store, index, newChatSlot(choice, folderId === undefined ? {} : { folderId }));
}

/** Turns the new chat into a conversation with its own address. */
export function convertToConvo(store: Store, index: number): void {
  const slot = store.get(slotAtom(index));
  if (slot.isNewChat) showSlot(store, index, { ...slot, isNewChat: false }, { replace: true });
}

/**
 * The server stored nothing of this conversation: every slot that shows it becomes a new chat again, with all its
 * content.
 */
export function revertToNewChat(store: Store, conversationId: string): void {
  for (const [index, slot] of slots) {
    const shown = store.get(slot);
    if (shown.conversationId === conversationId)
      showSlot(store, index, { ...shown, isNewChat: true }, { replace: true });
  }
}

export function isShown(store: Store, conversationId: string): boolean {
  return [...slots.values()].some((slot) => store.get(slot).conversationId === conversationId);
}

/** Updates the slot before the address: listeners on the address find the slot up to date. */
function showSlot(store: Store, index: number, slot: Slot, options?: { replace: boolean }): void {
  store.set(slotAtom(index), slot);
  if (index === FIRST_SLOT) navigate(`/c/${addressOf(slot)}`, options);
}

function addressOf(slot: Slot): string {
  return slot.isNewChat ? NEW_CHAT : slot.conversationId;
}

function newChatSlot(choice: Choice | null, place: NewChatTarget = {}): Slot {
  return { conversationId: newId(), isNewChat: true, choice, ...place };
}
