import '../../palette/lazy-words.ts';
import type { Convo } from '@parley/schema/convos';
import { useSetAtom } from 'jotai';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../lib/describe-error.ts';
import { showToast } from '../../lib/toast.tsx';
import type { ReadIds } from '../sidebar/use-listed.ts';
import { selectAll, SELECTION_MAX, selectionAtom } from './selection.ts';

/**
 * Selects every conversation that is listed, loaded or not, and says so when there are more than are taken in one go.
 * `convos` are the loaded ones. A selection that was left meanwhile stays left.
 */
export function useSelectAll(
  convos: readonly Convo[],
  readIds: ReadIds,
): { selectAll: () => void; isReading: boolean } {
  const { t } = useTranslation();
  const setSelection = useSetAtom(selectionAtom);
  const [isReading, setReading] = useState(false);

  async function read(): Promise<void> {
    setReading(true);
    try {
      const { conversationIds, isAll } = await readIds();
      setSelection((selection) => selection && selectAll(selection, conversationIds, convos));
      if (!isAll) showToast({ message: t('com_palette_select_capped', { count: SELECTION_MAX }), severity: 'info' });
    } catch (error) {
      showToast({ message: describeError(error, t), severity: 'error' });
    } finally {
      setReading(false);
    }
  }

  return { selectAll: () => void (isReading || read()), isReading };
}
