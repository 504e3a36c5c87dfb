import '@mantine/core/styles/Button.css';
import '@mantine/core/styles/CloseButton.css';
import '@mantine/core/styles/Modal.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/Paper.css';
import { Button, Modal } from '@mantine/core';
import type { Convo } from '@parley/schema/convos';
import { useTranslation } from 'react-i18next';
import classes from './delete-dialog.module.css';

interface DeleteDialogProps {
  convo: Convo;
  onCancel: () => void;
  onConfirm: () => void;
}

/** Open for as long as it is mounted. */
export function DeleteDialog({ convo, onCancel, onConfirm }: DeleteDialogProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened
      centered
      onClose={onCancel}
      title={t('com_ui_delete_convo')}
      closeButtonProps={{ 'aria-label': t('com_ui_close') }}
      // The page itself never scrolls: there is nothing to lock.
      lockScroll={false}
      returnFocus={false}
      classNames={{ content: classes.content, header: classes.header, title: classes.title, overlay: classes.overlay }}
    >
      <p className={classes.text}>{t('com_ui_delete_convo_confirm', { 0: convo.title ?? t('com_ui_new_chat') })}</p>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onCancel}>
          {t('com_ui_cancel')}
        </Button>
        <Button className={classes.danger} onClick={onConfirm} data-autofocus>
          {t('com_ui_delete')}
        </Button>
      </div>
    </Modal>
  );
}
