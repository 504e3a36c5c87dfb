import { atom } from 'jotai';
import { personalAtom } from '../lib/personal-data.ts';
import { readStored, writeStored } from '../lib/storage.ts';

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
