import { lazyScreen } from '../ui/lazy/lazy-screen.tsx';

export const fileColumn = lazyScreen(async () => (await import('./viewer/file-column.tsx')).FileColumn);
export const fileDialog = lazyScreen(async () => (await import('./viewer/file-dialog.tsx')).FileDialog);
export const lightbox = lazyScreen(async () => (await import('./message/lightbox.tsx')).Lightbox);

const readPopovers = () => import('./citations/popovers.ts');

export const citationPopover = lazyScreen(async () => (await readPopovers()).CitationPopover, 'ahead');
export const webSourcePopover = lazyScreen(async () => (await readPopovers()).WebSourcePopover, 'ahead');
