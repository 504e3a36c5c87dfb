// Loads what tells of ended answers, once one has ended where nobody looks, or where the account wants notices.
import type { Change } from '@parley/schema/convos/convos';
import { getDefaultStore } from 'jotai/vanilla';
import { noticesAtom } from '../account-settings.ts';
import { onChange } from '../feed/change-feed.ts';

/** Follows the feed until the returned function is called. */
export function followNotices(): () => void {
  const ends: (() => void)[] = [];
  const store = getDefaultStore();
  let isOver = false;
  let isLoading = false;
  /** Answers that have ended before it were there when the page came. */
  let begin: number | null = null;
  const early: Change[] = [];

  ends.push(
    onChange((change) => {
      begin ??= change.seq - 1;
      if (change.type !== 'convo' || !change.convo.isUnread || change.convo.messagesSeq <= begin) return;
      if (isLoading) early.push(change);
      else load(change);
    }),
    store.sub(noticesAtom, look),
  );
  look();
  return end;

  function look(): void {
    if (store.get(noticesAtom)?.isOn) load();
  }

  function load(...first: Change[]): void {
    if (isLoading) return;
    isLoading = true;
    early.push(...first);
    import('./notices.ts').then(
      ({ startNotices }) => {
        if (isOver) return;
        end();
        isOver = false;
        ends.push(startNotices(begin, early));
      },
      // The next one tries again.
      () => (isLoading = false),
    );
  }

  function end(): void {
    isOver = true;
    for (const one of ends.splice(0)) one();
  }
}
