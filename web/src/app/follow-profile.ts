import { onChange, onFeedStart } from '../feed/change-feed.ts';
import { session } from '../session/current-session.ts';

/** Keeps the user's name and image as they are in the account. Returns the function that ends it. */
export function followProfile(): () => void {
  let isFirst = true;
  const ends = [
    onChange(({ type }) => {
      if (type === 'settings' || type === 'reset') void session.reloadUser();
    }),
    // The page brought the user of its first start.
    onFeedStart(() => {
      if (!isFirst) void session.reloadUser();
      isFirst = false;
    }),
  ];
  return () => ends.forEach((end) => end());
}
