import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import classes from './list-failure.module.css';

export function ListFailure({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.failure} role="alert">
      <p>{t('com_nav_convos_failed')}</p>
      <Button size="sm" onClick={onRetry}>
        {t('com_ui_retry')}
      </Button>
    </div>
  );
}
