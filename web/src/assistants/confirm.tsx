import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { Modal } from '../ui/modal.tsx';
import classes from './builder/builder.module.css';
import { ButtonRow } from '../ui/primitives/button-row.tsx';

interface ConfirmProps {
  title: string;
  text: string;
  /** The button that goes on; it deletes by default. */
  confirm?: string;
  /** It was answered, either way. */
  onClose: () => void;
  onConfirm: () => void;
}

/** Confirms a deletion or a loss within the side panel. Open while mounted. */
export function Confirm({ title, text, confirm, onClose, onConfirm }: ConfirmProps) {
  const { t } = useTranslation();
  function confirmIt(): void {
    onClose();
    onConfirm();
  }
  return (
    <Modal title={title} onClose={onClose}>
      <p className={classes.help}>{text}</p>
      <ButtonRow end>
        <Button onClick={onClose}>{t('com_ui_cancel')}</Button>
        <Button variant="danger-filled" data-autofocus onClick={confirmIt}>
          {confirm ?? t('com_ui_delete')}
        </Button>
      </ButtonRow>
    </Modal>
  );
}
