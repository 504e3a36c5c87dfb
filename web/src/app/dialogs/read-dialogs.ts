/** The small dialogs, and what else is opened over a chat. */
export const readDialogs = () => import('./dialogs.ts');
