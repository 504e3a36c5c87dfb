import { useAtom, useAtomValue } from 'jotai';
import { useDeferredValue, useMemo, useState } from 'react';
import type { Catalog } from '../catalog/choose-model.ts';
import { favouritesAtom } from '../catalog/favourites.ts';
import { arrangeModels, countModels, endpointGroups, searchGroups } from '../catalog/model-groups.ts';
import { recentModelsAtom } from '../catalog/recent-models.ts';
import { takesKey } from '../keys/key-state.ts';

/** With more options than this, the list has a search field, and the recent ones stand above it. */
const SEARCH_ABOVE = 10;

interface Shown {
  /** The names of assistants, by their ids. */
  names?: ReadonlyMap<string, string> | undefined;
  current: { endpoint: string; model: string | null } | null;
}
const NOTHING: Shown = { current: null };

/** The models that match what is typed. The list lags behind the typing: it belongs to `searchedFor`. */
export function useModelSearch(catalog: Catalog | undefined, { names, current }: Shown = NOTHING) {
  const [favourites, turnFavourite] = useAtom(favouritesAtom);
  const [query, setQuery] = useState('');
  const searchedFor = useDeferredValue(query);
  const groups = useMemo(() => (catalog ? endpointGroups(catalog, names) : []), [catalog, names]);
  const used = useAtomValue(recentModelsAtom);
  const isNeeded = countModels(groups) > SEARCH_ABOVE;
  const list = useMemo(() => {
    const found = searchGroups(groups, searchedFor, current);
    return arrangeModels(found, favourites, isNeeded && searchedFor === '' ? used : []);
  }, [groups, searchedFor, current, favourites, used, isNeeded]);
  return {
    query,
    setQuery,
    searchedFor,
    /** What was found. */
    list,
    favourites,
    turnFavourite,
    /** The first option of the query as it is typed, also where the list lags behind. */
    best: () => arrangeModels(searchGroups(groups, query, current), favourites).options[0],
    isNeeded,
    hasKeys: groups.some(({ endpoint }) => takesKey(catalog?.endpoints[endpoint])),
  };
}
