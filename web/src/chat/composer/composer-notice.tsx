import { useAtomValue } from 'jotai';
import { useTranslation } from 'react-i18next';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { lazyScreen } from '../../ui/lazy/lazy-screen.tsx';
import { lacksAssistant } from '../../endpoints/assistant-state.ts';
import { needsKey } from '../../keys/key-state.ts';
import { keysOf } from '../../layout/shortcuts.ts';
import { settingAtom } from '../../stored-settings.ts';
import classes from './composer.module.css';
import type { Chat } from '../use-chat.ts';

const keyNotice = lazyScreen(async () => (await import('./key-notice.tsx')).KeyNotice);
const blockedNotice = lazyScreen(async () => (await import('./blocked-notice.tsx')).BlockedNotice);
const assistantNotice = lazyScreen(async () => (await import('../../assistants/assistant-notice.tsx')).AssistantNotice);

interface ComposerNoticeProps {
  chat: Chat;
  /** Absent when there is nothing to send. */
  onSendAnyway: (() => void) | undefined;
}

/**
 * Explains why Enter does not send. After an answer that is not whole the remedy is at that answer, or one sends
 * nevertheless. Otherwise a hint on how to insert a line break.
 */
export function ComposerNotice({ chat, onSendAnyway }: ComposerNoticeProps) {
  const { t } = useTranslation();
  const { blockedBy, modelTarget, keyState, assistantState } = chat;
  if (modelTarget === null) return <p className={classes.notice}>{t('com_chat_no_endpoint')}</p>;
  if (modelTarget && needsKey(keyState)) {
    return (
      <LazyBoundary isQuiet>
        <keyNotice.Screen endpoint={modelTarget.endpoint} hasExpired={keyState.status === 'expired'} />
      </LazyBoundary>
    );
  }
  if (lacksAssistant(assistantState)) {
    return (
      <LazyBoundary isQuiet>
        <assistantNotice.Screen hasFailed={assistantState.status === 'failed'} />
      </LazyBoundary>
    );
  }
  if (!blockedBy) return <Hint />;
  return (
    <LazyBoundary isQuiet>
      <blockedNotice.Screen message={blockedBy} onSendAnyway={onSendAnyway} />
    </LazyBoundary>
  );
}

/** The key that Enter alone is not. */
function Hint() {
  const { t } = useTranslation();
  const doesEnterSend = useAtomValue(settingAtom('enterToSend'));
  const keys = keysOf(['mod', 'enter'], t);
  return <p className={classes.hint}>{doesEnterSend ? t('com_chat_hint') : t('com_chat_hint_send', { 0: keys })}</p>;
}
