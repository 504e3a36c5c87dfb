// The models that a person picked last, stored in the browser.
import { atom } from 'jotai';
import { personalAtom } from '../lib/personal-data.ts';
import { readStored, writeStored } from '../lib/storage.ts';
import { parseModelRefs } from './favourites.ts';
import { isSameModel, type ModelRef } from './model-groups.ts';

const KEY = 'recentModels';
/** More would be a list to search in. */
const RECENT_MAX = 5;

const storedAtom = personalAtom<readonly ModelRef[]>(() => readStored(KEY, [], parseModelRefs));

/** The newest is first. */
export const recentModelsAtom = atom(
  (get) => get(storedAtom),
  (get, set, used: ModelRef) => {
    const recent = [used, ...get(storedAtom).filter((one) => !isSameModel(one, used))].slice(0, RECENT_MAX);
    set(storedAtom, recent);
    writeStored(
      KEY,
      recent.map(({ endpoint, model }) => [endpoint, model]),
    );
  },
);
