// The models a person likes best, kept by the browser.
import { atom } from 'jotai';
import { readStored, writeStored } from '../lib/persist.ts';
import { isSameModel, type ModelRef } from './groups.ts';

const KEY = 'favouriteModels';
/** The oldest gives way: a list of favourites that must be searched is none. */
const MOST = 30;

const storedAtom = atom<readonly ModelRef[]>(readStored(KEY, [], parse));

/** The one chosen last stands last. */
export const favouritesAtom = atom(
  (get) => get(storedAtom),
  (get, set, turned: ModelRef) => {
    const before = get(storedAtom);
    const others = before.filter((one) => !isSameModel(one, turned));
    const favourites = others.length < before.length ? others : [...others, turned].slice(-MOST);
    set(storedAtom, favourites);
    writeStored(
      KEY,
      favourites.map(({ endpoint, model }) => [endpoint, model]),
    );
  },
);

function parse(stored: unknown): ModelRef[] | undefined {
  if (!Array.isArray(stored)) return undefined;
  return stored.flatMap((pair: unknown) => {
    const [endpoint, model]: unknown[] = Array.isArray(pair) ? pair : [];
    return typeof endpoint === 'string' && typeof model === 'string' ? [{ endpoint, model }] : [];
  });
}
