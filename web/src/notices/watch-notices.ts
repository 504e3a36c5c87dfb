// Tells the server what this page shows, as long as the account wants notices, and takes those that it is offered.
import type { Notice } from '@parley/schema/notices/notices';
import { getDefaultStore } from 'jotai/vanilla';
import type { Unsubscribable } from '@trpc/server/observable';
import { noticesAtom } from '../account-settings.ts';
import { newId } from '../lib/new-id.ts';
import { api } from '../trpc.ts';
import type { BrowserNotices } from './browser-notices.ts';
import { isLookingAt, onLook, openConversation } from './looking-at.ts';
import { canShowNotices, onPermission } from './permission.ts';

/** Milliseconds; a page that is left and opened again has told it once. */
const GATHER_MS = 250;
/** Milliseconds until the next try after the server has ended it. */
const RETRY_MS = 5_000;

/** Follows the page and the account until the returned function is called. */
export function watchNotices(shown: Pick<BrowserNotices, 'show'>): () => void {
  const page = newId();
  const store = getDefaultStore();
  let subscription: Unsubscribable | null = null;
  let told = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const later = (ms = GATHER_MS) => {
    clearTimeout(timer);
    timer = setTimeout(tell, ms);
  };
  const ends = [
    onLook(later.bind(null, GATHER_MS)),
    onPermission(() => later()),
    store.sub(noticesAtom, () => later()),
  ];
  tell();
  return () => {
    ends.forEach((end) => end());
    clearTimeout(timer);
    subscription?.unsubscribe();
  };

  function tell(): void {
    const input = {
      page,
      conversationId: openConversation(),
      isVisible: document.visibilityState === 'visible',
      canShow: canShowNotices(),
    };
    const isOn = store.get(noticesAtom)?.isOn === true;
    const now = isOn ? JSON.stringify(input) : '';
    if (now === told) return;
    told = now;
    const before = subscription;
    const again = () => {
      told = '';
      later(RETRY_MS * (0.5 + Math.random()));
    };
    // Before the end of the last one, so that the page is never gone.
    subscription = isOn
      ? api.notices.watch.subscribe(input, {
          onData: (notice) => void take(notice).catch(() => undefined),
          onError: again,
          onComplete: again,
        })
      : null;
    before?.unsubscribe();
  }

  async function take({ isSeen, ...notice }: Notice): Promise<void> {
    const isLooking = isLookingAt(notice.conversationId);
    if (isSeen && !isLooking) return;
    if (!(await api.notices.take.mutate({ page, id: notice.id })) || isSeen || isLooking) return;
    await shown.show({ ...notice, isSeen });
  }
}
