import { IconCake } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './birthday-cake.module.css';

/** Stands beside the greeting where the operator wants it. */
export function BirthdayCake() {
  const { t } = useTranslation();
  return (
    <span role="img" aria-label={t('com_ui_happy_birthday')} data-tooltip={t('com_ui_happy_birthday')}>
      <IconCake className={classes.cake} aria-hidden />
    </span>
  );
}
