import type { Settings } from '@parley/schema/params';
import { useTranslation } from 'react-i18next';
import classes from './params.module.css';

interface ResetAllProps {
  settings: Settings;
  onChange: (settings: Settings) => void;
}

/** Makes every parameter what it is by default. It stays in reach, so that the focus stays on it. */
export function ResetAll({ settings, onChange }: ResetAllProps) {
  const { t } = useTranslation();
  const isDone = Object.keys(settings).length === 0;
  return (
    <button type="button" className={classes.resetAll} aria-disabled={isDone} onClick={() => !isDone && onChange({})}>
      {t('com_params_reset_all')}
    </button>
  );
}
