import { useTranslation } from 'react-i18next';
import { useShowDialog } from '../../dialogs/open-dialog.ts';
import { Button } from '../../ui/button.tsx';
import { Setting } from '../setting.tsx';
import { useReturn } from '../settings-place.ts';

/** Setting row: opens the import of conversations. */
export function ImportConvos() {
  const { t } = useTranslation();
  const showDialog = useShowDialog();
  const { back, isReturn } = useReturn('import');
  const name = t('com_nav_import_conversations');
  return (
    <Setting name={name} hint={t('com_import_sources')}>
      <Button
        size="sm"
        aria-haspopup="dialog"
        aria-label={name}
        data-autofocus={isReturn || undefined}
        onClick={() => showDialog({ name: 'import', back })}
      >
        {t('com_import_start')}
      </Button>
    </Setting>
  );
}
