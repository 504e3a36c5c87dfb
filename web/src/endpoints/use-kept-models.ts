// What an account keeps of the choice of models.
import { useAtom, useStore } from 'jotai';
import { saveAccountSettings } from '../account-settings.ts';
import { favouritesAtom, modelPairs, turnFavourite } from '../catalog/favourites.ts';
import { isSameModel, type ModelRef } from '../catalog/model-groups.ts';
import { recentModelsAtom, withUse } from '../catalog/recent-models.ts';
import { useShowError } from '../ui/toast/use-show-error.ts';

/** The favourite models, and what adds one to them or takes it out. */
export function useFavourites() {
  const showError = useShowError();
  const [favourites, setFavourites] = useAtom(favouritesAtom);

  async function turn(model: ModelRef): Promise<void> {
    const next = turnFavourite(favourites, model);
    setFavourites(next);
    try {
      await saveAccountSettings({ favouriteModels: modelPairs(next) });
    } catch (error) {
      setFavourites(favourites);
      showError(error);
    }
  }

  return { favourites, turnFavourite: (model: ModelRef) => void turn(model) };
}

/** Notes a model that was picked. Nothing is sent where it was the last one, too. */
export function useNoteUse(): (model: ModelRef) => void {
  const store = useStore();
  return (model) => {
    const before = store.get(recentModelsAtom);
    if (before[0] && isSameModel(before[0], model)) return;
    const recent = withUse(before, model);
    store.set(recentModelsAtom, recent);
    // Without a connection, this browser keeps it.
    void saveAccountSettings({ recentModels: modelPairs(recent) }).catch(() => {});
  };
}
