import '@mantine/core/styles/CloseButton.css';
import '@mantine/core/styles/Modal.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/Paper.css';
import { Modal, type ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { focusAtOnce } from '../../lib/focus-at-once.ts';
import classes from './dialog-frame.module.css';

interface DialogFrameProps {
  title: string;
  size?: ModalProps['size'];
  onClose: () => void;
  children: ReactNode;
}

/** A dialog with our looks, open for as long as it is mounted. Whoever opens it takes care of the focus afterwards. */
export function DialogFrame({ title, size = 'md', onClose, children }: DialogFrameProps) {
  const { t } = useTranslation();
  return (
    <Modal
      ref={focusAtOnce}
      opened
      centered
      size={size}
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': t('com_ui_close') }}
      returnFocus={false}
      classNames={{ content: classes.content, header: classes.header, title: classes.title, overlay: classes.overlay }}
    >
      {children}
    </Modal>
  );
}
