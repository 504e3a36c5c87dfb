import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useShowDialog } from '../dialogs/open-dialog.ts';
import { Button } from '../ui/button.tsx';
import { Setting } from './setting.tsx';
import { useReturn } from './settings-place.ts';

interface DialogRowProps {
  dialog: 'files' | 'archive' | 'trash';
  label: string;
  hint: string;
}

/** Setting row: opens what has a dialog of its own. */
export function DialogRow({ dialog, label, hint }: DialogRowProps) {
  const { t } = useTranslation();
  const id = useId();
  const buttonId = useId();
  const showDialog = useShowDialog();
  const { back, isReturn } = useReturn(`dialog ${dialog}`);
  return (
    <Setting name={label} nameId={id} hint={hint}>
      <Button
        id={buttonId}
        size="sm"
        aria-haspopup="dialog"
        aria-labelledby={`${buttonId} ${id}`}
        data-autofocus={isReturn || undefined}
        onClick={() => showDialog({ name: dialog, back })}
      >
        {t('com_settings_open')}
      </Button>
    </Setting>
  );
}
