import { showAccountClaimed, showAccountRestored } from '../auth/notices/account-notices.ts';
import { startSettingsSync } from '../settings/sync-settings.ts';
import { followNotices } from '../notices/lazy-notices.ts';
import { continueShare } from '../shares/continue-share.ts';
import { onChange, onFeedStart } from '../feed/change-feed.ts';
import { session } from '../session/current-session.ts';
import { getDefaultStore } from 'jotai/vanilla';
import { settingAtom } from '../stored-settings.ts';

/**
 * What follows the account beside the components that read it, and what is to be said about the account after a sign-in
 * at another site. Returns the function that ends it.
 */
export function followAccount(): () => void {
  showNotice();
  void continueShare().catch(() => undefined);
  const ends = [applySizes(), startSettingsSync(), followProfile(), followNotices()];
  return () => ends.forEach((end) => end());
}

function showNotice(): void {
  const { search } = window.location;
  if (search === '?reclaimed') showAccountClaimed();
  if (search === '?restored') showAccountRestored();
}

/** Keeps the user's name and image as they are in the account. Returns the function that ends it. */
function followProfile(): () => void {
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

// The size of the text and the width of the conversation, as attributes that `global.css` reads. Before the first paint
// `public/head.js` sets the same.

/** Follows both settings until the returned function is called. */
function applySizes(): () => void {
  const store = getDefaultStore();
  const { dataset } = document.documentElement;
  const textSize = settingAtom('textSize');
  const wideMode = settingAtom('wideMode');
  const show = () => {
    dataset.textSize = store.get(textSize);
    dataset.wideMode = String(store.get(wideMode));
  };
  show();
  const ends = [store.sub(textSize, show), store.sub(wideMode, show)];
  return () => ends.forEach((end) => end());
}
