import { lazyScreen } from '../../ui/lazy/lazy-screen.tsx';

const edit = lazyScreen(async () => (await import('./message-edit.tsx')).MessageEdit, 'ahead');

/** The message editor. */
export const LazyMessageEdit = edit.Screen;

/** Preloads the editor on hover. */
export const preloadMessageEdit = edit.preload;
