import { lazyScreen } from '../../ui/lazy/lazy-screen.tsx';
import { readMenus } from '../../ui/lazy/chunks.ts';

export const folderMenu = lazyScreen(async () => (await readMenus()).OpenFolderMenu, 'ahead');
export const listMenu = lazyScreen(async () => (await readMenus()).ListMenu, 'ahead');
export const moreMenu = lazyScreen(async () => (await readMenus()).MoreMenu, 'ahead');
export const rowMenu = lazyScreen(async () => (await readMenus()).OpenRowMenu, 'ahead');
export const userMenu = lazyScreen(async () => (await readMenus()).OpenUserMenu, 'ahead');
