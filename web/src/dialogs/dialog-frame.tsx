import '@mantine/core/styles/CloseButton.css';
import '@mantine/core/styles/Modal.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/Paper.css';
import { Modal, type ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { focusOnOpen } from '../ui/menu/focus-on-open.ts';
import classes from './dialog-frame.module.css';

interface DialogFrameProps {
  title: string;
  size?: ModalProps['size'];
  onClose: () => void;
  children: ReactNode;
}

/** A styled dialog, open while mounted. The opener restores the focus. */
export function DialogFrame({ title, size = 'md', onClose, children }: DialogFrameProps) {
  const { t } = useTranslation();
  return (
    <Modal
      ref={focusOnOpen}
      opened
      centered
      size={size}
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
      {children}
    </Modal>
  );
}
