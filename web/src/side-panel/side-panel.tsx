// What stands in the room of the side panel: the strip of icons and the open column; and the drawer of small screens.
import { IconEyeOff } from '@tabler/icons-react';
import { useAtom, useAtomValue } from 'jotai';
import { useEffect, useRef, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { openDialogAtom } from '../dialogs/open-dialog.ts';
import { focusComposer } from '../slots/focus-composer.ts';
import { FIRST_SLOT } from '../slots/slot.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { changedParams } from '../params/shown-params.ts';
import { LazyBoundary } from '../ui/lazy/lazy-boundary.tsx';
import { Resizer } from '../ui/resizer/resizer.tsx';
import { showUndo } from '../ui/toast/undo.ts';
import { FOCUS } from './focus-after-render.ts';
import { panelBody } from './lazy-panels.ts';
import { useActiveEntry } from './panel-entries.ts';
import type { SidePanelProps } from './panel-props.ts';
import { PANEL_ID } from './panel-room.tsx';
import { drawerAtom, useHidePanel, useSidePanel } from './panel-state.ts';
import { LARGEST, SMALLEST } from './panel-width.ts';
import classes from './side-panel.module.css';

/** An icon for each panel, which opens and closes it, and one that hides all of them. */
export function PanelStrip({ chat }: Pick<SidePanelProps, 'chat'>) {
  const { t } = useTranslation();
  const { isOpen, open, collapse } = useSidePanel();
  const { entries, active } = useActiveEntry(chat);
  const hideWhole = useHidePanel();
  const changed = chat.modelTarget ? changedParams(chat.modelTarget.settings) : 0;

  function hide(): void {
    const show = hideWhole();
    focusComposer(FIRST_SLOT);
    showUndo(t('com_sidepanel_hidden'), show);
  }

  return (
    <div className={classes.strip}>
      {entries.map(({ name, label, Icon, preload }) => {
        const isActive = name === active.name;
        const isExpanded = isOpen && isActive;
        const isChanged = name === 'parameters' && changed > 0;
        const load = () => {
          panelBody.preload();
          preload?.();
        };
        return (
          <IconButton
            key={name}
            className={classes.icon}
            label={isChanged ? t('com_params_changed', { count: changed }) : t(label)}
            data-changed={isChanged || undefined}
            aria-expanded={isExpanded}
            aria-controls={isExpanded ? PANEL_ID : undefined}
            {...(isActive && { [FOCUS.shut]: '' })}
            onPointerEnter={load}
            onFocus={load}
            onClick={() => (isExpanded ? collapse() : open(name))}
          >
            <Icon aria-hidden />
          </IconButton>
        );
      })}
      <IconButton className={classes.hide} label={t('com_sidepanel_hide')} onClick={hide}>
        <IconEyeOff aria-hidden />
      </IconButton>
    </div>
  );
}

/** What stands in the room of the open panel. */
export function PanelColumn({ column, ...props }: SidePanelProps & { column: RefObject<HTMLElement | null> }) {
  const { t } = useTranslation();
  const { share, resize, collapse } = useSidePanel();
  return (
    <>
      <Resizer
        column={column}
        columnId={PANEL_ID}
        label={t('com_sidepanel_resize')}
        share={share}
        smallest={SMALLEST}
        largest={LARGEST}
        onResize={resize}
      />
      <LazyBoundary onFailure={collapse}>
        <panelBody.Screen {...props} />
      </LazyBoundary>
    </>
  );
}

/**
 * The panel on a small screen: a modal dialog over the chat. The browser traps and restores the focus; a click on the
 * mask hides the panel.
 */
export function PanelDrawer({ chat, onPick }: SidePanelProps) {
  const { t } = useTranslation();
  const { hide } = useSidePanel();
  const [isOpen, setOpen] = useAtom(drawerAtom);
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

  // A screen that becomes wide and narrow again must not be covered unasked.
  useEffect(() => () => setOpen(false), [setOpen]);

  function close(): void {
    setOpen(false);
  }

  return (
    // The backdrop is part of this element and only for the pointer; Escape does the same.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      className={classes.drawer}
      aria-label={t('com_sidepanel')}
      data-testid="side-panel"
      // Handles Escape right away: the `close` event may come only after the page has become wide.
      onCancel={close}
      // Which may come so late that it is open again.
      onClose={({ currentTarget }) => !currentTarget.open && close()}
      onClick={({ target, currentTarget }) => target === currentTarget && hide()}
    >
      {isOpen && (
        <div className={classes.sheet}>
          <LazyBoundary onFailure={close}>
            <panelBody.Screen chat={chat} onPick={onPick} />
          </LazyBoundary>
        </div>
      )}
    </dialog>
  );
}
