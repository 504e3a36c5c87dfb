import '../../locales/load/assistants.ts';
import { useTranslation } from 'react-i18next';
import type { Chat } from '../use-chat.ts';
import classes from './composer.module.css';

/** Says in the message box why nothing can be written to the assistants. */
export function AssistantNotice({ chat: { assistantState, slot } }: { chat: Chat }) {
  const { t } = useTranslation();
  const missing = slot.isNewChat ? t('com_assistants_missing') : t('com_assistants_gone');
  return (
    <p className={classes.notice} role="status">
      {assistantState.status === 'failed' ? t('com_assistants_load_failed') : missing}
    </p>
  );
}
