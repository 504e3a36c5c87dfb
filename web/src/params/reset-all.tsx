import type { Settings } from '@parley/schema/catalog/params';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { isChosenElsewhere } from './shown-params.ts';

/**
 * Resets every parameter to its default, except those chosen elsewhere. It stays enabled, so that it keeps the focus.
 */
export function ResetAll({ settings, onChange }: { settings: Settings; onChange: (settings: Settings) => void }) {
  const { t } = useTranslation();
  const remaining: Settings = Object.fromEntries(Object.entries(settings).filter(([name]) => isChosenElsewhere(name)));
  const isDone = Object.keys(remaining).length === Object.keys(settings).length;
  return (
    <Button variant="subtle" size="sm" aria-disabled={isDone} onClick={() => !isDone && onChange(remaining)}>
      {t('com_params_reset_all')}
    </Button>
  );
}
