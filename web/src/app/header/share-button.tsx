import { IconShare } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { isTemporary } from '../../chat/is-temporary.ts';
import type { Chat } from '../../chat/use-chat.ts';
import { useShowDialog } from '../../dialogs/open-dialog.ts';
import { useStartup } from '../../startup.ts';
import { IconButton } from '../../ui/icon-button.tsx';

/** Shares the open conversation. On a phone the menu does. */
export function ShareButton({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const show = useShowDialog();
  const canShare = useStartup()?.sharedLinksEnabled ?? true;
  const { convo } = chat;
  if (!convo || !canShare || isTemporary(chat)) return null;
  return (
    <IconButton
      label={t('com_share')}
      aria-haspopup="dialog"
      data-testid="share-button"
      onClick={() => show({ name: 'share', conversationId: convo.conversationId })}
    >
      <IconShare aria-hidden />
    </IconButton>
  );
}
