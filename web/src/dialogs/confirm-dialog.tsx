// Tests of this room: tests/e2e/app.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import classes from './dialog-frame.module.css';
import { DialogFrame } from './dialog-frame.tsx';
import { ButtonRow } from '../ui/primitives/button-row.tsx';

interface ConfirmDialogProps {
  title: string;
  text: string;
  /** The label of the confirm button. */
  verb: string;
  /** Test id of the confirm button. */
  testId?: string;
  /** What else is decided here, below the text. */
  children?: ReactNode;
  onCancel: () => void;
  onConfirm: () => void;
}

/** Confirms a deletion. Open while mounted. */
export function ConfirmDialog({ title, text, verb, testId, children, onCancel, onConfirm }: ConfirmDialogProps) {
  const { t } = useTranslation();
  return (
    <DialogFrame title={title} onClose={onCancel}>
      <p className={classes.text}>{text}</p>
      {children}
      <ButtonRow end className={classes.buttons}>
        <Button onClick={onCancel}>{t('com_ui_cancel')}</Button>
        <Button variant="danger-filled" onClick={onConfirm} data-autofocus data-testid={testId}>
          {verb}
        </Button>
      </ButtonRow>
    </DialogFrame>
  );
}
