import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { Modal } from '../ui/modal.tsx';
import classes from './builder/builder.module.css';

interface ConfirmProps {
  title: string;
  text: string;
  onCancel: () => void;
  onConfirm: () => void;
}

/** Confirms a deletion within the side panel. Open while mounted. */
export function Confirm({ title, text, onCancel, onConfirm }: ConfirmProps) {
  const { t } = useTranslation();
  return (
    <Modal title={title} onClose={onCancel}>
      <p className={classes.help}>{text}</p>
      <div className={classes.buttons}>
        <Button onClick={onCancel}>{t('com_ui_cancel')}</Button>
        <Button variant="danger-filled" data-autofocus onClick={onConfirm}>
          {t('com_ui_delete')}
        </Button>
      </div>
    </Modal>
  );
}
