import '@mantine/core/styles/Button.css';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './dialog-frame.module.css';
import { DialogFrame } from './dialog-frame.tsx';

interface ConfirmDialogProps {
  title: string;
  text: string;
  /** What the button that does it is called. */
  verb: string;
  /** For tools that look for the button. */
  testId?: string;
  onCancel: () => void;
  onConfirm: () => void;
}

/** Asks before something is deleted. Open for as long as it is mounted. */
export function ConfirmDialog({ title, text, verb, testId, onCancel, onConfirm }: ConfirmDialogProps) {
  const { t } = useTranslation();
  return (
    <DialogFrame title={title} onClose={onCancel}>
      <p className={classes.text}>{text}</p>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onCancel}>
          {t('com_ui_cancel')}
        </Button>
        <Button className={classes.danger} onClick={onConfirm} data-autofocus data-testid={testId}>
          {verb}
        </Button>
      </div>
    </DialogFrame>
  );
}
