import { lazyScreen } from '../ui/lazy/lazy-screen.tsx';

const readViewers = () => import('./viewer/viewers.ts');

export const fileColumn = lazyScreen(async () => (await readViewers()).FileColumn);
export const fileDialog = lazyScreen(async () => (await readViewers()).FileDialog);
export const lightbox = lazyScreen(async () => (await readViewers()).Lightbox);

const readPictures = () => import('../pictures/room.ts');

export const pictureBar = lazyScreen(async () => (await readPictures()).PictureBar);
export const pictureTools = lazyScreen(async () => (await readPictures()).PictureTools);

const readPopovers = () => import('./citations/popovers.ts');

export const citationPopover = lazyScreen(async () => (await readPopovers()).CitationPopover, 'ahead');
export const webSourcePopover = lazyScreen(async () => (await readPopovers()).WebSourcePopover, 'ahead');
