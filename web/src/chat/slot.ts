// A slot is one chat pane. The first follows the address bar; others would stand beside it with the same parts, which
// learn their slot from the context. A slot holds only what is nowhere else: the conversation's own endpoint and model
// are the conversation's, a new chat's come from `endpoints/`.
import { atom, useAtomValue, type PrimitiveAtom } from 'jotai';
import { createContext, useContext } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { session } from '../auth/current.ts';
import type { Choice } from '../endpoints/choose.ts';
import { forgetFreshChoices, keepFreshChoice, readFreshChoices, wasReloaded } from '../endpoints/fresh-choices.ts';
import { NEW_CHAT } from './drafts/drafts.ts';
import type { Store } from './exchanges/exchange.ts';
import { newId } from './exchanges/new-id.ts';

export interface Slot {
  /** Made here, also for a chat that nothing was said in yet. */
  conversationId: string;
  /** Nothing of it has been sent: the server does not know it. */
  isFresh: boolean;
  /** What was picked by hand since the conversation was opened. */
  choice: Choice | null;
}

/** The slot that the address bar shows. */
export const FIRST_SLOT = 0;

const slots = new Map<number, PrimitiveAtom<Slot>>();

/** Nobody finds what the one before has set. */
session.onBoundary(() => {
  slots.clear();
  forgetFreshChoices();
});

export function slotAtom(index: number): PrimitiveAtom<Slot> {
  const known = slots.get(index) ?? (index === FIRST_SLOT ? createKeptSlot() : atom(freshSlot(null)));
  slots.set(index, known);
  return known;
}

/** A slot whose fresh chat is there again after a reload, as it was set. */
function createKeptSlot(): PrimitiveAtom<Slot> {
  if (!wasReloaded()) forgetFreshChoices();
  const slot = atom(freshSlot(readFreshChoices().at(-1) ?? null));
  return atom(
    (get) => get(slot),
    (get, set, change) => {
      const before = get(slot);
      set(slot, change);
      const { conversationId, isFresh, choice } = get(slot);
      if (conversationId !== before.conversationId || !isFresh) forgetFreshChoices();
      if (isFresh && choice) keepFreshChoice(choice);
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

/** Where the text of the slot's box is kept. */
export function draftKeyOf(slot: Slot): string {
  return slot.isFresh ? NEW_CHAT : slot.conversationId;
}

/** Puts what the address names (`new` or a conversation id) into the slot, unless it is there already. */
export function openInSlot(store: Store, index: number, address: string): void {
  if (addressOf(store.get(slotAtom(index))) === address) return;
  const slot = address === NEW_CHAT ? freshSlot(null) : { conversationId: address, isFresh: false, choice: null };
  store.set(slotAtom(index), slot);
}

/** A new chat with another endpoint or model in hand. */
export function startNewChat(store: Store, index: number, choice: Choice | null): void {
  showSlot(store, index, freshSlot(choice));
}

/** The fresh chat becomes a conversation, with an address of its own. */
export function settleSlot(store: Store, index: number): void {
  const slot = store.get(slotAtom(index));
  if (slot.isFresh) showSlot(store, index, { ...slot, isFresh: false }, { replace: true });
}

/** The server took nothing of this conversation: every slot that shows it is a fresh chat again, with all it holds. */
export function unsettleSlots(store: Store, conversationId: string): void {
  for (const [index, slot] of slots) {
    const shown = store.get(slot);
    if (shown.conversationId === conversationId) showSlot(store, index, { ...shown, isFresh: true }, { replace: true });
  }
}

export function isShown(store: Store, conversationId: string): boolean {
  return [...slots.values()].some((slot) => store.get(slot).conversationId === conversationId);
}

/** The slot first, then the address: whoever follows the address finds the slot as it should be. */
function showSlot(store: Store, index: number, slot: Slot, options?: { replace: boolean }): void {
  store.set(slotAtom(index), slot);
  if (index === FIRST_SLOT) navigate(`/c/${addressOf(slot)}`, options);
}

function addressOf(slot: Slot): string {
  return slot.isFresh ? NEW_CHAT : slot.conversationId;
}

function freshSlot(choice: Choice | null): Slot {
  return { conversationId: newId(), isFresh: true, choice };
}
