import { useStore } from 'jotai';
import type { Choice } from '../catalog/choose-model.ts';
import { slotAtom, useSlotIndex } from './slot.ts';

/** Changes the model or settings of the open chat, from the next question on. */
export function useSetModel(): (choice: Choice) => void {
  const store = useStore();
  const index = useSlotIndex();
  return (choice) => store.set(slotAtom(index), (slot) => ({ ...slot, choice }));
}
