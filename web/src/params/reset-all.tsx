import type { Settings } from '@parley/schema/catalog/params';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';

interface ResetAllProps {
  settings: Settings;
  onChange: (settings: Settings) => void;
}

/** Resets every parameter to its default, except the tools, which are chosen elsewhere. It stays enabled, so that it keeps the focus. */
export function ResetAll({ settings, onChange }: ResetAllProps) {
  const { t } = useTranslation();
  const { tools, ...rest } = settings;
  const isDone = Object.keys(rest).length === 0;
  const kept: Settings = tools === undefined ? {} : { tools };
  return (
    <Button variant="subtle" size="sm" aria-disabled={isDone} onClick={() => !isDone && onChange(kept)}>
      {t('com_params_reset_all')}
    </Button>
  );
}
