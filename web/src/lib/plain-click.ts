import type { MouseEvent } from 'react';

/** A left click without modifier keys: the only kind an app may handle instead of the browser. */
export function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
}
