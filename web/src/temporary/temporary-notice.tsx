import { IconGhost2 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Chat } from '../chat/use-chat.ts';
import { Button } from '../ui/button.tsx';
import classes from './temporary-notice.module.css';
import { useKeepTemporary } from './use-keep-temporary.ts';
import { useShownTemporary } from './use-shown-temporary.ts';

/** Says above the message box of a temporary chat what that means, and keeps the chat on demand. */
export function TemporaryNotice({ chat: { slot, convo } }: { chat: Chat }) {
  const { t } = useTranslation();
  const { isKeeping, keep } = useKeepTemporary(slot.conversationId);
  useShownTemporary(convo?.conversationId ?? null);
  return (
    <aside className={classes.bar} aria-label={t('com_temporary')} data-testid="temporary-notice">
      <IconGhost2 className={classes.icon} aria-hidden />
      <p className={classes.sentence}>{slot.isNewChat ? t('com_temporary_new') : t('com_temporary_open')}</p>
      {convo && (
        <Button variant="subtle" size="sm" disabled={isKeeping} onClick={keep}>
          {t('com_temporary_keep')}
        </Button>
      )}
    </aside>
  );
}
