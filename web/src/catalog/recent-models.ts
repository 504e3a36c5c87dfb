// The models that a person picked last. The account has them; this browser remembers them, so that a list need not wait.
import { RECENT_MAX } from '@parley/schema/settings/interface';
import { atom } from 'jotai/vanilla';
import { personalAtom } from '../lib/personal-data.ts';
import { readStored, writeStored } from '../lib/storage.ts';
import { modelPairs, parseModelRefs } from './favourites.ts';
import { isSameModel, type ModelRef } from './model-groups.ts';

const KEY = 'recentModels';

const storedAtom = personalAtom<readonly ModelRef[]>(() => readStored(KEY, [], parseModelRefs));

/** The newest is first. */
export const recentModelsAtom = atom(
  (get) => get(storedAtom),
  (_get, set, recent: readonly ModelRef[]) => {
    set(storedAtom, recent);
    writeStored(KEY, modelPairs(recent));
  },
);

/** The recent models after one was picked. */
export function withUse(before: readonly ModelRef[], used: ModelRef): ModelRef[] {
  return [used, ...before.filter((one) => !isSameModel(one, used))].slice(0, RECENT_MAX);
}
