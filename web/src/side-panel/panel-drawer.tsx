import { useAtomValue } from 'jotai';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { openDialogAtom } from '../shell/dialogs/dialogs.ts';
import { PanelBody } from './panel-body.tsx';
import { useSidePanel } from './panel-state.ts';
import type { SidePanelProps } from './side-panel.tsx';
import classes from './side-panel.module.css';

/** The panel over the chat. The browser keeps the focus in it, and gives it back; a click on the mask hides it. */
export function PanelDrawer({ chat, onPick }: SidePanelProps) {
  const { t } = useTranslation();
  const { isOpen, hide } = useSidePanel();
  const dialog = useRef<HTMLDialogElement>(null);
  const hasDialog = useAtomValue(openDialogAtom) !== null;

  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);

  // Whatever else opens would lie under it.
  useEffect(() => {
    if (hasDialog) dialog.current?.close();
  }, [hasDialog]);

  return (
    // The mask is a part of the element that only the pointer knows; Escape does the same.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      className={classes.drawer}
      aria-label={t('com_sidepanel')}
      data-testid="side-panel"
      // Escape, at once: the page may be as wide as a column when the browser says that it has closed.
      onCancel={hide}
      onClose={hide}
      onClick={({ target, currentTarget }) => target === currentTarget && hide()}
    >
      {isOpen && (
        <div className={classes.sheet}>
          <PanelBody chat={chat} onPick={onPick} />
        </div>
      )}
    </dialog>
  );
}
