// Tests of this room: tests/e2e/app/notices.test.ts.

// The notice of this browser: one, which counts the chats that it tells of, until they are seen.
import type { Notice, NoticeKind } from '@parley/schema/notices/notices';
import { getDefaultStore } from 'jotai/vanilla';
import { navigate } from 'wouter/use-browser-location';
import { noticesAtom } from '../account-settings.ts';
import { i18n, loadSentences } from '../i18n.ts';
import { api } from '../trpc.ts';

const TAG = 'answers';
const ICON = '/icon-192.png';

export interface BrowserNotices {
  show(notice: Notice): Promise<void>;
  /** Keeps those chats alone of those that were told; closes the notice when none is left. */
  keep(isKept: (conversationId: string) => boolean): void;
  close(): void;
}

export function createBrowserNotices(): BrowserNotices {
  /** The newest last. */
  const told = new Map<string, NoticeKind>();
  let shown: Notification | null = null;
  return {
    async show({ conversationId, kind }) {
      told.delete(conversationId);
      told.set(conversationId, kind);
      await loadSentences().catch(() => undefined);
      const name = await nameOf(conversationId, told.size);
      shown = await present(sentenceOf(kind, told.size), name, conversationId);
    },
    keep(isKept) {
      const before = told.size;
      for (const id of told.keys()) if (!isKept(id)) told.delete(id);
      if (before > 0 && told.size === 0) close();
    },
    close,
  };

  function close(): void {
    told.clear();
    shown?.close();
    shown = null;
  }
}

function sentenceOf(kind: NoticeKind, count: number): string {
  return count > 1 ? i18n.t('com_notices_many', { count }) : i18n.t(`com_notices_${kind}`);
}

/** Only where its person allows it, and of one chat only. */
async function nameOf(conversationId: string, count: number): Promise<string | null> {
  if (count > 1 || !getDefaultStore().get(noticesAtom)?.hasTitles) return null;
  const convo = await api.convos.byId.query({ conversationId }).catch(() => null);
  return convo?.title ?? null;
}

async function present(sentence: string, name: string | null, conversationId: string): Promise<Notification | null> {
  const path = `/c/${conversationId}`;
  const options = { tag: TAG, icon: ICON, body: name === null ? '' : sentence, data: { path } };
  try {
    const notice = new Notification(name ?? sentence, options);
    notice.onclick = () => {
      window.focus();
      navigate(path);
      notice.close();
    };
    return notice;
  } catch {
    // On phones only a service worker shows them.
    const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
    await worker?.showNotification(name ?? sentence, options);
    return null;
  }
}
