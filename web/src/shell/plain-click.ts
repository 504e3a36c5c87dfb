import type { MouseEvent } from 'react';

/** A left click with no key held, which is the only kind that an application may answer instead of the browser. */
export function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
}
