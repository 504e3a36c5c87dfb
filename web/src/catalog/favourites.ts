// The user's favourite models, stored in the browser.
import { atom } from 'jotai';
import { personalAtom } from '../lib/personal-data.ts';
import { readStored, writeStored } from '../lib/storage.ts';
import { isSameModel, type ModelRef } from './model-groups.ts';

const KEY = 'favouriteModels';
/** The oldest drops out: a list that needs a search is not a list of favourites. */
const FAVOURITES_MAX = 30;

const storedAtom = personalAtom<readonly ModelRef[]>(() => readStored(KEY, [], parseModelRefs));

/** The newest is last. */
export const favouritesAtom = atom(
  (get) => get(storedAtom),
  (get, set, turned: ModelRef) => {
    const before = get(storedAtom);
    const others = before.filter((one) => !isSameModel(one, turned));
    const favourites = others.length < before.length ? others : [...others, turned].slice(-FAVOURITES_MAX);
    set(storedAtom, favourites);
    writeStored(
      KEY,
      favourites.map(({ endpoint, model }) => [endpoint, model]),
    );
  },
);

/** Stored pairs of endpoint and model. */
export function parseModelRefs(stored: unknown): ModelRef[] | undefined {
  if (!Array.isArray(stored)) return undefined;
  return stored.flatMap((pair: unknown) => {
    const [endpoint, model]: unknown[] = Array.isArray(pair) ? pair : [];
    return typeof endpoint === 'string' && typeof model === 'string' ? [{ endpoint, model }] : [];
  });
}
