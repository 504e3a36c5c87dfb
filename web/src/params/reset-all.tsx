import type { Settings } from '@parley/schema/catalog/params';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';

interface ResetAllProps {
  settings: Settings;
  onChange: (settings: Settings) => void;
}

/** Resets every parameter to its default. It stays enabled, so that it keeps the focus. */
export function ResetAll({ settings, onChange }: ResetAllProps) {
  const { t } = useTranslation();
  const isDone = Object.keys(settings).length === 0;
  return (
    <Button variant="subtle" size="sm" aria-disabled={isDone} onClick={() => !isDone && onChange({})}>
      {t('com_params_reset_all')}
    </Button>
  );
}
