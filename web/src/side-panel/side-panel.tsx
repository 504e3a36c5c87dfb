// The panel next to the chat: the model and its parameters.
import { useAtomValue } from 'jotai';
import { useEffect, useEffectEvent, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { PanelBody } from './panel-body.tsx';
import { hideSidePanelAtom, useSidePanel } from './panel-state.ts';
import { LARGEST, SMALLEST, panelWidthCss } from './panel-width.ts';
import { Resizer } from '../ui/resizer/resizer.tsx';
import classes from './side-panel.module.css';
import type { SidePanelProps } from './panel-props.ts';
import { openDialogAtom } from '../dialogs/open-dialog.ts';

/** A resizable column; on small screens a drawer over the chat. Closed, nothing is left of it. */
export function SidePanel({ chat, onPick }: SidePanelProps) {
  const panel = useSidePanel();
  const isOff = useAtomValue(hideSidePanelAtom);
  useCloseWhenNarrow();
  if (isOff) return null;
  if (panel.isNarrow) return <PanelDrawer chat={chat} onPick={onPick} />;
  return panel.isOpen && <Column chat={chat} onPick={onPick} />;
}

function Column({ chat, onPick }: SidePanelProps) {
  const { t } = useTranslation();
  const id = useId();
  const column = useRef<HTMLElement>(null);
  const { share, resize } = useSidePanel();
  return (
    <aside
      ref={column}
      id={id}
      className={classes.column}
      style={{ inlineSize: panelWidthCss(share) }}
      aria-label={t('com_sidepanel')}
      data-testid="side-panel"
    >
      <Resizer
        column={column}
        columnId={id}
        label={t('com_sidepanel_resize')}
        share={share}
        smallest={SMALLEST}
        largest={LARGEST}
        onResize={resize}
      />
      <PanelBody chat={chat} onPick={onPick} />
    </aside>
  );
}

/** A column that becomes a drawer would cover the chat unasked. */
function useCloseWhenNarrow(): void {
  const { isNarrow, hide } = useSidePanel();
  const close = useEffectEvent(hide);
  useEffect(() => {
    if (isNarrow) close();
  }, [isNarrow]);
}

/**
 * The panel as a modal dialog over the chat. The browser traps and restores the focus; a click on the backdrop closes
 * it.
 */
function PanelDrawer({ chat, onPick }: SidePanelProps) {
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
