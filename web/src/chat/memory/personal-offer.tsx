import { useSetAtom } from 'jotai';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useShowDialog } from '../../dialogs/open-dialog.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { personalOfferAtom } from './offer-personal.ts';
import classes from './memory-parts.module.css';

/** A quiet line below an answer: chats can know who asks and how to answer. It goes when it is used or closed. */
export function PersonalOffer() {
  const { t } = useTranslation();
  const showDialog = useShowDialog();
  const setOffer = useSetAtom(personalOfferAtom);

  function open(): void {
    setOffer(null);
    showDialog({ name: 'settings', at: { tab: 'personalization' } });
  }

  return (
    <div className={classes.offer} role="note">
      <span>{t('com_personal_offer')}</span>
      <Button size="sm" variant="subtle" onClick={open}>
        {t('com_personalization')}
      </Button>
      <IconButton label={t('com_ui_close')} onClick={() => setOffer(null)}>
        <IconX aria-hidden />
      </IconButton>
    </div>
  );
}
