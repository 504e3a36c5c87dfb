// The user's favourite models. The account has them; this browser remembers them, so that a list need not wait.
import { FAVOURITES_MAX, type ModelPair } from '@parley/schema/settings/interface';
import { atom } from 'jotai/vanilla';
import { personalAtom } from '../lib/personal-data.ts';
import { readStored, writeStored } from '../lib/storage.ts';
import { isSameModel, type ModelRef } from './model-groups.ts';

const KEY = 'favouriteModels';

const storedAtom = personalAtom<readonly ModelRef[]>(() => readStored(KEY, [], parseModelRefs));

/** The newest is last. */
export const favouritesAtom = atom(
  (get) => get(storedAtom),
  (_get, set, favourites: readonly ModelRef[]) => {
    set(storedAtom, favourites);
    writeStored(KEY, modelPairs(favourites));
  },
);

/** The favourites with one more or less. */
export function turnFavourite(before: readonly ModelRef[], turned: ModelRef): ModelRef[] {
  const others = before.filter((one) => !isSameModel(one, turned));
  return others.length < before.length ? others : [...others, turned].slice(-FAVOURITES_MAX);
}

/** As they are stored. */
export function modelPairs(models: readonly ModelRef[]): ModelPair[] {
  return models.map(({ endpoint, model }) => [endpoint, model]);
}

/** Stored pairs of endpoint and model. */
export function parseModelRefs(stored: unknown): ModelRef[] | undefined {
  if (!Array.isArray(stored)) return undefined;
  return stored.flatMap((pair: unknown) => {
    const [endpoint, model]: unknown[] = Array.isArray(pair) ? pair : [];
    return typeof endpoint === 'string' && typeof model === 'string' ? [{ endpoint, model }] : [];
  });
}
