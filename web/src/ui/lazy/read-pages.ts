/** The pages of tools and of prompts, and the plugin store, from wherever they are opened. */
export const readPages = () => import('../../app/lazy/pages.ts');
