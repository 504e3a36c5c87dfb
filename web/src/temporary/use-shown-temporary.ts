// Tells the server which temporary chat a page shows: one that no page shows ends soon.
import { useEffect } from 'react';
import { requestHeaders, session } from '../session/current-session.ts';
import { api } from '../trpc.ts';

/** Milliseconds; shorter than the time that a chat is kept after its page has left it. */
const SHOW_EVERY_MS = 30_000;

/** `conversationId` is null before the first question. */
export function useShownTemporary(conversationId: string | null): void {
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
