import { lazy } from 'react';

const load = () => import('./message-edit.tsx');

/** The editor of a message, fetched when a hand comes near the button that opens it. */
export const LazyMessageEdit = lazy(() => load().then(({ MessageEdit }) => ({ default: MessageEdit })));

export function preloadMessageEdit(): void {
  load().catch(() => {});
}
