import type { Convo } from '@parley/schema/convos/convos';
import { IconArchive, IconFolder, IconTrash, IconX } from '@tabler/icons-react';
import { useSetAtom } from 'jotai';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { useEventListener } from '../../ui/hooks/use-event-listener.ts';
import classes from './selection-bar.module.css';
import { useShowDialog } from '../../dialogs/open-dialog.ts';
import { isForSidebar } from './sidebar-escape.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { selectionAtom, type Selection, selectAll, SELECTION_MAX } from '../../convos/selection.ts';
import { useArchive } from '../../convos/actions/use-archive.ts';
import type { ReadIds } from './use-listed-convos.ts';
import { showToast } from '../../ui/toast/toast.ts';
import { useShowError } from '../../ui/toast/use-show-error.ts';

interface SelectionBarProps {
  selection: Selection;
  /** The loaded conversations, pinned or not. */
  convos: readonly Convo[];
  readIds: ReadIds;
}

/** The number of selected conversations and the bulk actions. Escape ends the selection. */
export function SelectionBar({ selection, convos, readIds }: SelectionBarProps) {
  const { t } = useTranslation();
  const setSelection = useSetAtom(selectionAtom);
  const show = useShowDialog();
  const archive = useArchive();
  const chosen = [...selection.chosen.values()];
  const { selectAll, isReading } = useSelectAll(convos, readIds);
  const leave = () => setSelection(null);
  useLeaveOnEscape(leave);

  return (
    <div className={classes.bar} role="toolbar" aria-label={t('com_ui_selection')}>
      <span className={classes.count} role="status">
        {t('com_ui_selected', { count: chosen.length })}
      </span>
      <Button variant="subtle" size="sm" aria-busy={isReading} onClick={selectAll}>
        {t('com_ui_select_all')}
      </Button>
      <div className={classes.actions}>
        <IconButton
          label={t('com_ui_archive')}
          disabled={chosen.length === 0 || isReading}
          onClick={() => {
            leave();
            archive(chosen, true);
          }}
        >
          <IconArchive />
        </IconButton>
        <IconButton
          label={t('com_ui_folder_move')}
          disabled={chosen.length === 0 || isReading}
          onClick={() => show({ name: 'move', convos: chosen })}
        >
          <IconFolder />
        </IconButton>
        <IconButton
          label={t('com_ui_delete')}
          disabled={chosen.length === 0 || isReading}
          onClick={() => show({ name: 'remove', convos: chosen })}
        >
          <IconTrash />
        </IconButton>
        <IconButton label={t('com_ui_selection_leave')} onClick={leave}>
          <IconX />
        </IconButton>
      </div>
    </div>
  );
}

/** Handles Escape before the drawer does; the next Escape closes the drawer. */
function useLeaveOnEscape(leave: () => void): void {
  useEventListener(
    'keydown',
    (event) => {
      if (!isForSidebar(event)) return;
      event.preventDefault();
      leave();
    },
    { capture: true },
  );
}

/**
 * Selects every listed conversation, loaded or not, and shows a notice above the limit of one selection. `convos` are
 * the loaded ones. Does nothing if the user has ended the selection meanwhile.
 */
function useSelectAll(convos: readonly Convo[], readIds: ReadIds): { selectAll: () => void; isReading: boolean } {
  const { t } = useTranslation();
  const showError = useShowError();
  const setSelection = useSetAtom(selectionAtom);
  const [isReading, setReading] = useState(false);

  async function read(): Promise<void> {
    setReading(true);
    try {
      const { conversationIds, isAll } = await readIds();
      setSelection((selection) => selection && selectAll(selection, conversationIds, convos));
      if (!isAll) showToast({ message: t('com_palette_select_capped', { count: SELECTION_MAX }), severity: 'info' });
    } catch (error) {
      showError(error);
    } finally {
      setReading(false);
    }
  }

  return { selectAll: () => void (isReading || read()), isReading };
}
