// Whether this browser shows notices: it is asked once, by a button, and its person may withdraw that at any time.
import { readStored, writeStored } from '../lib/storage.ts';

/** Its person has switched them off in this browser alone. */
const OFF_HERE = 'noticesOffHere';

/** `none`: this browser has no notices. */
export type Permission = NotificationPermission | 'none';

export function noticePermission(): Permission {
  return 'Notification' in window ? Notification.permission : 'none';
}

export function canShowNotices(): boolean {
  return noticePermission() === 'granted' && !isOffHere();
}

export function isOffHere(): boolean {
  return readStored(OFF_HERE, false, (stored) => (typeof stored === 'boolean' ? stored : undefined));
}

const listeners = new Set<() => void>();

export function setOffHere(isOff: boolean): void {
  writeStored(OFF_HERE, isOff);
  tell();
}

/** Asks the browser; call it only when a button is pressed. */
export async function askForNotices(): Promise<Permission> {
  if (noticePermission() === 'default') await Notification.requestPermission();
  tell();
  return noticePermission();
}

/** Calls `listener` when the answer of `canShowNotices` may be another, until the returned function is called. */
export function onPermission(listener: () => void): () => void {
  listeners.add(listener);
  follow();
  return () => listeners.delete(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}

let isFollowed = false;

/** Also what is changed in the browser's own settings. */
function follow(): void {
  if (isFollowed) return;
  isFollowed = true;
  // Not every browser knows the permission by this name.
  void navigator.permissions
    ?.query({ name: 'notifications' })
    .then((status) => status.addEventListener('change', tell))
    .catch(() => undefined);
}
