// What loads as one chunk and is opened from several rooms. A room's own chunks are in its `lazy-…` files.

/** The menus of the frame. */
export const readMenus = () => import('../../app/lazy/menus.ts');

/** The pages of assistants and their builder beside a chat. */
export const readAssistants = () => import('../../assistants/assistants-screen.tsx');

/** The pages of tools, of prompts, of schedules and of projects, and the plugin store. */
export const readPages = () => import('../../app/lazy/pages.ts');
