import { useAtom } from 'jotai';
import { useDeferredValue, useMemo, useState } from 'react';
import type { Catalog } from '../catalog/choose-model.ts';
import { favouritesAtom } from '../catalog/favourites.ts';
import { countModels, favouritesIn, endpointGroups, groupedOptions, searchGroups } from '../catalog/model-groups.ts';
import { takesKey } from '../keys/key-state.ts';

/** With more options than this, the list has a search field. */
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
  const found = useMemo(() => searchGroups(groups, searchedFor, current), [groups, searchedFor, current]);
  return {
    query,
    setQuery,
    searchedFor,
    found,
    favourites,
    turnFavourite,
    /** The favourites among what was found. */
    starred: favouritesIn(found, favourites),
    /** What was found, in the order of the list. */
    options: groupedOptions(found, favourites),
    /** The first option of the query as it is typed, also where the list lags behind. */
    best: () => groupedOptions(searchGroups(groups, query, current), favourites)[0],
    isNeeded: countModels(groups) > SEARCH_ABOVE,
    hasKeys: groups.some(({ endpoint }) => takesKey(catalog?.endpoints[endpoint])),
  };
}
