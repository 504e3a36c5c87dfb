import { IconShieldCheck, IconX } from '@tabler/icons-react';
import { useAtom, useAtomValue } from 'jotai';
import { useTranslation } from 'react-i18next';
import { isDemo } from '../../catalog/model-target.ts';
import type { Chat } from '../../chat/use-chat.ts';
import { session } from '../../session/current-session.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { AddProviderCard } from './add-provider-card.tsx';
import { isDemoEnoughAtom, isFirstPersonAtom } from './first-person.ts';
import classes from './first-person-notice.module.css';

/**
 * In an empty chat: tells an administrator how to add a provider while only the demo answers, and the first person of a
 * server that they administer it.
 */
export function FirstPersonNotice({ chat: { modelTarget } }: { chat: Pick<Chat, 'modelTarget'> }) {
  const { t } = useTranslation();
  const [isFirst, setFirst] = useAtom(isFirstPersonAtom);
  const isDemoEnough = useAtomValue(isDemoEnoughAtom);
  const isAdmin = useAtomValue(session.state).user?.role === 'ADMIN';
  if (isAdmin && modelTarget && isDemo(modelTarget)) return isDemoEnough ? null : <AddProviderCard isFirst={isFirst} />;
  if (!isFirst || !modelTarget) return null;
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
