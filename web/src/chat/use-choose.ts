import { useStore } from 'jotai';
import type { Choice } from '../endpoints/choose.ts';
import { slotAtom, useSlotIndex } from './slot.ts';

/** Takes another model or other settings for the chat that is open, from the next question on. */
export function useChoose(): (choice: Choice) => void {
  const store = useStore();
  const index = useSlotIndex();
  return (choice) => store.set(slotAtom(index), (slot) => ({ ...slot, choice }));
}
