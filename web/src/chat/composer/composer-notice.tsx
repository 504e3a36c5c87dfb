import { useTranslation } from 'react-i18next';
import { Arriving } from '../../lib/arriving.tsx';
import { lazyScreen } from '../../lib/lazy-screen.tsx';
import { wantsKey } from '../../keys/key-state.ts';
import classes from './composer.module.css';
import type { Chat } from '../use-chat.ts';

const keyNotice = lazyScreen(async () => (await import('../../keys/key-notice.tsx')).KeyNotice);

/** Why one cannot write; what helps stands with the answer it is about. Else how to break a line. */
export function ComposerNotice({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const { blockedBy, addressee, keyState } = chat;
  if (addressee === null) return <p className={classes.notice}>{t('com_chat_no_endpoint')}</p>;
  if (addressee && wantsKey(keyState)) {
    return (
      <Arriving isQuiet>
        <keyNotice.Screen endpoint={addressee.endpoint} hasExpired={keyState.status === 'expired'} />
      </Arriving>
    );
  }
  if (!blockedBy) return <p className={classes.hint}>{t('com_chat_hint')}</p>;
  return (
    <p className={classes.notice} role="status">
      {blockedBy.reason ? t('com_chat_blocked_failed') : t('com_chat_blocked_incomplete')}
    </p>
  );
}
