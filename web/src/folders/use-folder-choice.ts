import type { Folder } from '@parley/schema/convos/folders';
import { useAtomValue } from 'jotai';
import { choosePreset, type Choice } from '../catalog/choose-model.ts';
import { lastChoicesAtom } from '../catalog/last-choices.ts';
import { useCatalog } from '../endpoints/use-catalog.ts';
import { usePresets } from '../presets/use-presets.ts';

/** Returns a function that finds what new chats in a folder begin with; null: what other new chats begin with. */
export function useFolderChoice(): (folder: Folder) => Choice | null {
  const catalog = useCatalog();
  const memory = useAtomValue(lastChoicesAtom);
  const { presets } = usePresets(Infinity);
  return ({ presetId }) => {
    const preset = presets?.find((one) => one.presetId === presetId);
    return preset && catalog ? choosePreset(preset, catalog, memory) : null;
  };
}
