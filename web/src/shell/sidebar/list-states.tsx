import { UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './convo-list.module.css';

/** Where conversations will stand, in their height. */
export function SkeletonRows({ count }: { count: number }) {
  return (
    <div className={classes.skeletons} aria-hidden>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className={classes.skeleton} />
      ))}
    </div>
  );
}

export function ListFailure({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.failure} role="alert">
      <p>{t('com_nav_convos_failed')}</p>
      <UnstyledButton className={classes.retry} onClick={onRetry}>
        {t('com_ui_retry')}
      </UnstyledButton>
    </div>
  );
}
