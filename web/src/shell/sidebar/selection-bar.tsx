import type { Convo } from '@parley/schema/convos';
import { IconArchive, IconTrash, IconX } from '@tabler/icons-react';
import { useSetAtom } from 'jotai';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './selection-bar.module.css';
import { useShowDialog } from '../dialogs/dialogs.ts';
import { isForSidebar } from '../escape.ts';
import { IconButton } from '../icon-button.tsx';
import { selectionAtom, type Selection } from '../convos/selection.ts';
import { useArchive } from '../convos/use-archive.ts';
import { useSelectAll } from '../convos/use-select-all.ts';
import type { ReadIds } from './use-listed.ts';

interface SelectionBarProps {
  selection: Selection;
  /** What is loaded, pinned or not. */
  convos: readonly Convo[];
  readIds: ReadIds;
}

/** How many are selected, and what can be done to them. Escape leaves. */
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
      <button type="button" className={classes.all} aria-busy={isReading} onClick={selectAll}>
        {t('com_ui_select_all')}
      </button>
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
  );
}

/** Before the drawer hears of it, which closes at the next Escape. */
function useLeaveOnEscape(leave: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isForSidebar(event)) return;
      event.preventDefault();
      leave();
    };
    document.addEventListener('keydown', onKeyDown, { capture: true });
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [leave]);
}
