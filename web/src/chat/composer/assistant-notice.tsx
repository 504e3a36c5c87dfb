import { useTranslation } from 'react-i18next';
import { restoreAssistant } from '../../endpoints/assistants/use-assistants.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import type { Chat } from '../use-chat.ts';
import classes from './composer.module.css';

/** Says in the message box why nothing can be written to the assistants, and brings a deleted one back. */
export function AssistantNotice({ chat: { assistantState, slot, modelTarget } }: { chat: Chat }) {
  const { t } = useTranslation();
  const isMissing = assistantState.status === 'missing';
  const assistantId = String(modelTarget?.settings.assistant_id);
  const { data } = trpc.assistants.status.useQuery({ assistantId }, { enabled: isMissing && !slot.isNewChat });
  if (isMissing && data?.status === 'deleted') {
    const { deletionId } = data;
    return (
      <div className={classes.notice} role="status">
        {t('com_assistants_was_deleted')}{' '}
        <Button type="button" size="sm" onClick={() => void restoreAssistant(deletionId)}>
          {t('com_assistants_restore')}
        </Button>
      </div>
    );
  }
  const missing = slot.isNewChat ? t('com_assistants_pick') : t('com_assistants_gone_pick');
  return (
    <p className={classes.notice} role="status">
      {isMissing ? missing : t('com_assistants_load_failed')}
    </p>
  );
}
