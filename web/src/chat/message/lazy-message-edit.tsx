import { lazyScreen } from '../../lib/lazy-screen.tsx';

const edit = lazyScreen(async () => (await import('./message-edit.tsx')).MessageEdit, 'ahead');

/** The editor of a message. */
export const LazyMessageEdit = edit.Screen;

/** For a hand that comes near the button that opens it. */
export const preloadMessageEdit = edit.preload;
