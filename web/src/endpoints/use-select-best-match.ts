import type { ComboboxStore } from '@mantine/core';
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
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

  function markBest(): void {
    if (wanted === '') combobox.selectActiveOption();
    else combobox.selectFirstOption();
    markedFor.current = wanted;
  }

  // In the same commit as the list: the next key may be an arrow.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useLayoutEffect(markBest, [wanted]);
  // The Combobox knows its options only after the first render.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useEffect(markBest, []);

  // Favourites are added and removed at the top, which shifts the index of the marked option.
  useEffect(() => {
    combobox.updateSelectedOptionIndex('selected');
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [favourites]);
  return markedFor;
}
