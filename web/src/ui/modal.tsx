import { IconX } from '@tabler/icons-react';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { IconButton } from './icon-button.tsx';
import classes from './modal.module.css';

interface ModalProps {
  title: string;
  isWide?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/**
 * A dialog that opens above another dialog, as above the side panel on a phone. Open while mounted. The browser traps
 * the focus; the opener gets it back.
 */
export function Modal({ title, isWide = false, onClose, children }: ModalProps) {
  const { t } = useTranslation();
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);

  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
    };
  }, []);

  // At the end of the page: its fields and buttons are no part of a form around its opener.
  return createPortal(
    // The backdrop is part of this element and only for the pointer; Escape does the same.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      className={classes.dialog}
      data-wide={isWide || undefined}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // Its parent unmounts it.
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
      // A second Escape in a row closes it without asking: Chromium lets a page cancel one of them.
      onClose={(event) => {
        event.stopPropagation();
        onClose();
      }}
      onClick={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      <div className={classes.content}>
        <header className="flex-row">
          <h2 id={titleId} className={classes.title}>
            {title}
          </h2>
          <IconButton label={t('com_ui_close')} onClick={onClose}>
            <IconX aria-hidden />
          </IconButton>
        </header>
        {children}
      </div>
    </dialog>,
    document.body,
  );
}
