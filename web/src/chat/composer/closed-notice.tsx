import { useTranslation } from 'react-i18next';
import { useAtomValue } from 'jotai';
import { lacksAssistant } from '../../endpoints/assistants/assistant-state.ts';
import { needsKey } from '../../keys/key-state.ts';
import { BlockedNotice } from './blocked-notice.tsx';
import type { ComposerNoticeProps } from './composer-notice.tsx';
import { KeyNotice } from './key-notice.tsx';
import { restoreAssistant } from '../../endpoints/assistants/use-assistants.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import type { Chat } from '../use-chat.ts';
import { chooseReplacement, endpointLabel } from '../../catalog/choose-model.ts';
import { lastChoicesAtom } from '../../catalog/last-choices.ts';
import type { ModelTarget } from '../../catalog/model-target.ts';
import { useCatalog } from '../../endpoints/use-catalog.ts';
import { useSwitchEndpoint } from '../use-switch-endpoint.ts';
import classes from './composer.module.css';

/** Says why nothing can be asked at the moment, or would be refused. */
export function ClosedNotice({ chat, onSendAnyway }: ComposerNoticeProps) {
  const { blockedBy, modelTarget, isModelGone, keyState, assistantState } = chat;
  if (modelTarget && isModelGone) return <ModelGoneNotice chat={chat} modelTarget={modelTarget} />;
  if (modelTarget && needsKey(keyState))
    return <KeyNotice endpoint={modelTarget.endpoint} hasExpired={keyState.status === 'expired'} />;
  if (lacksAssistant(assistantState)) return <AssistantNotice chat={chat} />;
  return blockedBy && <BlockedNotice message={blockedBy} onSendAnyway={onSendAnyway} />;
}

/** Says in the message box why nothing can be written to the assistants, and brings a deleted one back. */
function AssistantNotice({ chat: { assistantState, slot, modelTarget } }: { chat: Chat }) {
  const { t } = useTranslation();
  const isMissing = assistantState.status === 'missing';
  const assistantId = String(modelTarget?.settings.assistant_id);
  const { data } = trpc.assistants.status.useQuery({ assistantId }, { enabled: isMissing && !slot.isNewChat });
  if (isMissing && data?.status === 'deleted') {
    const { deletionId } = data;
    return (
      <div className={classes.notice} role="status">
        {t('com_assistants_was_deleted')}{' '}
        <Button size="sm" onClick={() => void restoreAssistant(deletionId)}>
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

/** Says that the model of the conversation is none of this server, before a question is refused, and offers another. */
function ModelGoneNotice({ chat, modelTarget }: { chat: Chat; modelTarget: ModelTarget }) {
  const { t } = useTranslation();
  const catalog = useCatalog();
  const memory = useAtomValue(lastChoicesAtom);
  const switchTo = useSwitchEndpoint(chat);
  const { endpoint, model } = modelTarget;
  const other = catalog ? chooseReplacement({ endpoint, model }, catalog, memory) : null;
  return (
    <div className={classes.notice}>
      <p role="status">{t('com_switch_gone', { 0: model ?? endpointLabel(endpoint) })}</p>
      {other && (
        // The settings are those of the conversation.
        <Button size="sm" onClick={() => switchTo({ endpoint: other.endpoint, model: other.model }, 'continue')}>
          {t('com_switch_use', { 0: other.model ?? endpointLabel(other.endpoint) })}
        </Button>
      )}
    </div>
  );
}
