import { atom } from 'jotai';
import { readStored, writeStored } from '../lib/persist.ts';

const KEY = 'modularChat';

const storedAtom = atom(readStored(KEY, false, (stored) => (typeof stored === 'boolean' ? stored : undefined)));

/** Whether a conversation may go on with another endpoint. Remembered by the browser. */
export const modularChatAtom = atom(
  (get) => get(storedAtom),
  (_get, set, isModular: boolean) => {
    set(storedAtom, isModular);
    writeStored(KEY, isModular);
  },
);
