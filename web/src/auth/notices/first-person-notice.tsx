import { IconShieldCheck, IconX } from '@tabler/icons-react';
import { useSetAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/icon-button.tsx';
import { isFirstPersonAtom } from './first-person.ts';
import classes from './first-person-notice.module.css';

/** Tells the first person of a server, in their first empty chat, that they administer it. */
export function FirstPersonNotice() {
  const { t } = useTranslation();
  const setFirst = useSetAtom(isFirstPersonAtom);
  return (
    <div className={classes.bar} role="status" data-testid="first-person">
      <IconShieldCheck className={classes.icon} aria-hidden />
      <p className={classes.sentence}>{t('com_auth_first_person')}</p>
      <IconButton label={t('com_ui_close')} onClick={() => setFirst(false)}>
        <IconX aria-hidden />
      </IconButton>
    </div>
  );
}
