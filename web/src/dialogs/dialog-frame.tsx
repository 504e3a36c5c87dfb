import '@mantine/core/styles/CloseButton.css';
import '@mantine/core/styles/Modal.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/Paper.css';
import { Modal, type ModalProps } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useEventListener } from '../ui/hooks/use-event-listener.ts';
import { focusOnOpen } from '../ui/menu/focus-on-open.ts';
import classes from './dialog-frame.module.css';
import { EscapeLevelsContext, type EscapeLevels } from './escape-levels.ts';

interface DialogFrameProps {
  title: string;
  size?: ModalProps['size'];
  onClose: () => void;
  children: ReactNode;
}

/** A styled dialog, open while mounted. The opener restores the focus. */
export function DialogFrame({ title, size = 'md', onClose, children }: DialogFrameProps) {
  const { t } = useTranslation();
  const [levels] = useState<EscapeLevels>(() => new Set());
  useEscape(() => ([...levels].at(-1) ?? onClose)());
  return (
    <Modal
      ref={focusOnOpen}
      opened
      centered
      size={size}
      // Mantine knows no levels inside it.
      closeOnEscape={false}
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': t('com_ui_close') }}
      returnFocus={false}
      classNames={{
        content: classes.content,
        header: classes.header,
        title: classes.title,
        body: classes.body,
        overlay: classes.overlay,
        close: classes.close,
      }}
    >
      <EscapeLevelsContext value={levels}>{children}</EscapeLevelsContext>
    </Modal>
  );
}

/**
 * Calls `onEscape` before anything inside the dialog sees the key, except for what Mantine marks, such as an open list,
 * and for a dialog above it (`ui/modal.tsx`), which closes first.
 */
function useEscape(onEscape: () => void): void {
  useEventListener(
    'keydown',
    ({ key, isComposing, target }) => {
      if (key !== 'Escape' || isComposing || (target instanceof Element && isOwnKey(target))) return;
      onEscape();
    },
    { target: window, capture: true },
  );
}

function isOwnKey(target: Element): boolean {
  return target.getAttribute('data-mantine-stop-propagation') === 'true' || target.closest('dialog[open]') !== null;
}
