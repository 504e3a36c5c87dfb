import type { ComboboxStore } from '@mantine/core';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, type RefObject } from 'react';
import type { ModelRef } from '../catalog/model-groups.ts';

/**
 * Marks the option that Enter picks, and keeps it in view: the current model at first, then the best match. Returns the
 * query that the mark belongs to.
 */
export function useSelectBestMatch(
  combobox: ComboboxStore,
  wanted: string,
  favourites: readonly ModelRef[],
): RefObject<string> {
  const markedFor = useRef('');

  const markBest = useEffectEvent(() => {
    if (wanted === '') combobox.selectActiveOption();
    else combobox.selectFirstOption();
    markedFor.current = wanted;
  });
  const keepMarked = useEffectEvent(() => combobox.updateSelectedOptionIndex('selected'));

  // In the same commit as the list: the next key may be an arrow.
  useLayoutEffect(() => markBest(), [wanted]);
  // The Combobox knows its options only after the first render.
  useEffect(() => markBest(), []);

  // Favourites are added and removed at the top, which shifts the index of the marked option.
  useEffect(() => keepMarked(), [favourites]);
  return markedFor;
}
