import { atom } from 'jotai';
import { getDefaultStore } from 'jotai/vanilla';
import { personalAtom } from '../../lib/personal-data.ts';
import { readStored, writeStored } from '../../lib/storage.ts';

/** Whether this person has just made the first account of the server, which administers it. */
export const isFirstPersonAtom = personalAtom(() => false);

/** The empty chat says so. */
export function showFirstPerson(): void {
  getDefaultStore().set(isFirstPersonAtom, true);
}

const DEMO_ENOUGH = 'demoIsEnough';
const storedAtom = personalAtom<boolean>(() =>
  readStored<boolean>(DEMO_ENOUGH, false, (stored) => (typeof stored === 'boolean' ? stored : undefined)),
);

/** Whether this administrator looks around with the demo first; this browser remembers it. */
export const isDemoEnoughAtom = atom(
  (get) => get(storedAtom),
  (_get, set, isEnough: boolean) => {
    set(storedAtom, isEnough);
    writeStored(DEMO_ENOUGH, isEnough);
  },
);
