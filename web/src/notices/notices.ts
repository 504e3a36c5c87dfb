// Tells of answers that have ended where nobody looks: in the title and the icon of the tab, and by the browser's notices
// where the account wants them.
import type { Change } from '@parley/schema/convos/convos';
import { onChange } from '../feed/change-feed.ts';
import { createBrowserNotices } from './browser-notices.ts';
import { markTab } from './mark-tab.ts';
import { createUnseen } from './unseen.ts';
import { watchNotices } from './watch-notices.ts';

/**
 * Starts all of it with the changes of the feed that have come before, and returns the function that ends it. Answers
 * that ended up to the change `begin` are of no interest.
 */
export function startNotices(begin: number | null, early: readonly Change[]): () => void {
  const unseen = createUnseen(begin);
  const shown = createBrowserNotices();
  const ends = [
    onChange(hear),
    unseen.onChange(() => {
      markTab(unseen.newest());
      shown.keep((id) => !unseen.wasSeen(id));
    }),
    watchNotices(shown),
    () => markTab(null),
    shown.close,
  ];
  early.forEach(hear);
  return () => ends.forEach((end) => end());

  function hear(change: Change): void {
    unseen.hear(change);
  }
}
