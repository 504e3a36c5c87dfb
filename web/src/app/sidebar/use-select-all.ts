import type { Convo } from '@parley/schema/convos/convos';
import { useSetAtom } from 'jotai';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../errors/describe-error.ts';
import { showToast } from '../../ui/toast/toast.ts';
import type { ReadIds } from './use-listed-convos.ts';
import { selectAll, SELECTION_MAX, selectionAtom } from '../../convos/selection.ts';

/**
 * Selects every listed conversation, loaded or not, and shows a notice above the limit of one selection. `convos` are
 * the loaded ones. Does nothing if the user has ended the selection meanwhile.
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
