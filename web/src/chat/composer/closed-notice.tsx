import { lacksAssistant } from '../../endpoints/assistants/assistant-state.ts';
import { AssistantNotice } from './assistant-notice.tsx';
import { needsKey } from '../../keys/key-state.ts';
import { BlockedNotice } from './blocked-notice.tsx';
import type { ComposerNoticeProps } from './composer-notice.tsx';
import { KeyNotice } from './key-notice.tsx';

/** Says why nothing can be asked at the moment. */
export function ClosedNotice({ chat, onSendAnyway }: ComposerNoticeProps) {
  const { blockedBy, modelTarget, keyState, assistantState } = chat;
  if (modelTarget && needsKey(keyState))
    return <KeyNotice endpoint={modelTarget.endpoint} hasExpired={keyState.status === 'expired'} />;
  if (lacksAssistant(assistantState)) return <AssistantNotice chat={chat} />;
  return blockedBy && <BlockedNotice message={blockedBy} onSendAnyway={onSendAnyway} />;
}
