import { useAtomValue } from 'jotai';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { openDialogAtom } from '../dialogs/open-dialog.ts';
import { PanelBody } from './panel-body.tsx';
import { useSidePanel } from './panel-state.ts';
import classes from './side-panel.module.css';
import type { SidePanelProps } from './panel-props.ts';

/**
 * The panel as a modal dialog over the chat. The browser traps and restores the focus; a click on the backdrop closes
 * it.
 */
export function PanelDrawer({ chat, onPick }: SidePanelProps) {
  const { t } = useTranslation();
  const { isOpen, hide } = useSidePanel();
  const dialog = useRef<HTMLDialogElement>(null);
  const hasDialog = useAtomValue(openDialogAtom) !== null;

  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);

  // Any other dialog would open below it.
  useEffect(() => {
    if (hasDialog) dialog.current?.close();
  }, [hasDialog]);

  return (
    // The backdrop is part of this element and only for the pointer; Escape does the same.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      className={classes.drawer}
      aria-label={t('com_sidepanel')}
      data-testid="side-panel"
      // Handles Escape right away: the `close` event may come only after the page has become wide.
      onCancel={hide}
      // Which may come so late that it is open again.
      onClose={({ currentTarget }) => !currentTarget.open && hide()}
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
