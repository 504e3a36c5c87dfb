import { IconShieldCheck, IconX, IconPlus } from '@tabler/icons-react';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import { isDemoEnoughAtom } from '../../catalog/demo-enough.ts';
import { isDemo } from '../../catalog/model-target.ts';
import type { Chat } from '../../chat/use-chat.ts';
import { session } from '../../session/current-session.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { isFirstPersonAtom } from './first-person.ts';
import classes from './first-person-notice.module.css';
import { Link } from 'wouter';
import { ADD_PROVIDER_PATH } from '../../catalog/provider-paths.ts';
import { useStartup } from '../../startup.ts';
import { buttonClasses } from '../../ui/button-classes.ts';
import { Button } from '../../ui/button.tsx';

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
      <IconShieldCheck aria-hidden />
      <p className={classes.sentence}>{t('com_auth_first_person')}</p>
      <IconButton label={t('com_ui_close')} onClick={() => setFirst(false)}>
        <IconX aria-hidden />
      </IconButton>
    </div>
  );
}

/** For an administrator of a server where only the demo answers: the next step. The demo can be asked meanwhile. */
function AddProviderCard({ isFirst }: { isFirst: boolean }) {
  const { t } = useTranslation();
  const setFirst = useSetAtom(isFirstPersonAtom);
  const setDemoEnough = useSetAtom(isDemoEnoughAtom);
  const title = useStartup()?.appTitle ?? '';
  return (
    <section className={classes.card} aria-label={t('com_landing_add_provider')} data-testid="first-provider">
      <h2 className={classes.cardTitle}>{t('com_auth_provider_title', { 0: title })}</h2>
      <p className={classes.cardText}>
        {t(isFirst ? 'com_auth_provider_first' : 'com_auth_provider_admin')} {t('com_auth_provider_easy')}
      </p>
      <div className={classes.cardButtons}>
        <Link
          className={buttonClasses({ variant: 'filled' })}
          href={ADD_PROVIDER_PATH}
          // The card has said it.
          onClick={() => setFirst(false)}
        >
          <IconPlus aria-hidden />
          {t('com_landing_add_provider')}
        </Link>
        <Button variant="subtle" onClick={() => setDemoEnough(true)}>
          {t('com_auth_provider_demo')}
        </Button>
      </div>
    </section>
  );
}
