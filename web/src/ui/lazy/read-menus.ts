/** The menus of the frame, from wherever they are opened. */
export const readMenus = () => import('../../app/lazy/menus.ts');
