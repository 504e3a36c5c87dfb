import { useAtomValue } from 'jotai';
import { useTranslation } from 'react-i18next';
import { lacksAssistant } from '../../endpoints/assistants/assistant-state.ts';
import { needsKey } from '../../keys/key-state.ts';
import { shownKeys } from '../../layout/shortcuts.ts';
import { settingAtom } from '../../stored-settings.ts';
import classes from './composer.module.css';
import type { Chat } from '../use-chat.ts';
import { useLaterParts } from '../use-later-parts.ts';

export interface ComposerNoticeProps {
  chat: Chat;
  /** Absent when there is nothing to send. */
  onSendAnyway: (() => void) | undefined;
}

/**
 * Explains why Enter does not send. After a reply that is not whole the remedy is at that reply, or one sends
 * nevertheless. Otherwise a hint on how to insert a line break.
 */
export function ComposerNotice(props: ComposerNoticeProps) {
  const { t } = useTranslation();
  const { chat } = props;
  const hasNotice = isClosed(chat) || chat.isModelGone;
  const later = useLaterParts(hasNotice);
  if (chat.modelTarget === null) return <p className={classes.notice}>{t('com_chat_no_endpoint')}</p>;
  if (!hasNotice) return <Hint />;
  return later && <later.ClosedNotice {...props} />;
}

/** Whether nothing can be asked at the moment; the notice has the reason. One can type nevertheless. */
export function isClosed({ blockedBy, modelTarget, keyState, assistantState }: Chat): boolean {
  return blockedBy !== null || modelTarget === null || needsKey(keyState) || lacksAssistant(assistantState);
}

/** The key that Enter alone is not. */
function Hint() {
  const { t } = useTranslation();
  const doesEnterSend = useAtomValue(settingAtom('enterToSend'));
  const keys = shownKeys(['mod', 'Enter'], t);
  return <p className={classes.hint}>{doesEnterSend ? t('com_chat_hint') : t('com_chat_hint_send', { 0: keys })}</p>;
}
