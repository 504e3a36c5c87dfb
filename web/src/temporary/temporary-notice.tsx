// Tests of this room: tests/e2e/chat/temporary.test.ts.
import type { Convo } from '@parley/schema/convos/convos';
import { TEMPORARY_HOURS } from '@parley/schema/convos/temporary-rules';
import { IconGhost2 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Chat } from '../chat/use-chat.ts';
import { formatDateTime } from '../lib/format-date.ts';
import { Button } from '../ui/button.tsx';
import classes from './temporary-notice.module.css';
import { trpc, api } from '../trpc.ts';
import { showToast } from '../ui/toast/toast.ts';
import { useEffect } from 'react';
import { requestHeaders, session } from '../session/current-session.ts';

/** Milliseconds; shorter than the time that a chat is kept after its page has left it. */
const SHOW_EVERY_MS = 30_000;

/** Says above the message box of a temporary chat what that means, and keeps the chat on demand. */
export function TemporaryNotice({ chat: { slot, convo } }: { chat: Chat }) {
  const { t, i18n } = useTranslation();
  const until = convo && ownEnd(convo);
  const soon = slot.isNewChat ? t('com_temporary_new') : t('com_temporary_open');
  const { isKeeping, keep } = useKeepTemporary(slot.conversationId);
  useShownTemporary(convo?.conversationId ?? null);
  return (
    <aside className={classes.bar} aria-label={t('com_temporary')} data-testid="temporary-notice">
      <IconGhost2 aria-hidden />
      <p className={classes.sentence}>
        {until ? t('com_temporary_until', { 0: formatDateTime(until, i18n.language) }) : soon}
      </p>
      {convo && (
        <Button variant="subtle" size="sm" disabled={isKeeping} onClick={keep}>
          {t('com_temporary_keep')}
        </Button>
      )}
    </aside>
  );
}

/** When a chat of another installation ends, where it was to last for longer than one that begins here. */
function ownEnd({ createdAt, temporaryUntil }: Pick<Convo, 'createdAt' | 'temporaryUntil'>): string | null {
  const latest = Date.parse(createdAt) + TEMPORARY_HOURS * 3_600_000;
  return temporaryUntil !== undefined && Date.parse(temporaryUntil) > latest ? temporaryUntil : null;
}

/** Makes a temporary chat one that stays: from then on it is in the list, with all that can be done with a chat. */
function useKeepTemporary(conversationId: string): { isKeeping: boolean; keep(): void } {
  const { t } = useTranslation();
  const { convos } = trpc.useUtils();
  const { isPending, mutate } = trpc.convos.keep.useMutation({
    onSuccess() {
      // Its title is written from now on, and may be here before this answer: the feed tells of both in their order.
      void convos.byId.invalidate({ conversationId });
      showToast({ message: t('com_temporary_kept'), severity: 'success' });
    },
    onError: () => showToast({ message: t('com_temporary_keep_failed'), severity: 'error' }),
  });
  return { isKeeping: isPending, keep: () => mutate({ conversationId }) };
}

// Tells the server which temporary chat a page shows: one that no page shows ends soon.

/** `conversationId` is null before the first question. */
function useShownTemporary(conversationId: string | null): void {
  useEffect(() => {
    if (conversationId === null) return;
    const show = () => void api.convos.show.mutate({ conversationId }).catch(() => {});
    const showAgain = () => void (document.visibilityState === 'visible' && show());
    const leave = () => sendLeave(conversationId);
    const timer = setInterval(show, SHOW_EVERY_MS);
    document.addEventListener('visibilitychange', showAgain);
    window.addEventListener('pageshow', show);
    window.addEventListener('pagehide', leave);
    show();
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', showAgain);
      window.removeEventListener('pageshow', show);
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [conversationId]);
}

/** Outlives the page. */
function sendLeave(conversationId: string): void {
  const { token } = session.get();
  const headers = { ...requestHeaders(token), 'content-type': 'application/json' };
  const body = JSON.stringify({ conversationId });
  void fetch('/trpc/convos.leave', { method: 'POST', keepalive: true, headers, body }).catch(() => {});
}
