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
  onCancel: () => void;
  onConfirm: () => void;
}

/** Confirms a deletion or a loss within the side panel. Open while mounted. */
export function Confirm({ title, text, confirm, onCancel, onConfirm }: ConfirmProps) {
  const { t } = useTranslation();
  return (
    <Modal title={title} onClose={onCancel}>
      <p className={classes.help}>{text}</p>
      <ButtonRow end>
        <Button onClick={onCancel}>{t('com_ui_cancel')}</Button>
        <Button variant="danger-filled" data-autofocus onClick={onConfirm}>
          {confirm ?? t('com_ui_delete')}
        </Button>
      </ButtonRow>
    </Modal>
  );
}
