/** The pages of assistants and their builder beside a chat, from wherever they are opened. */
export const readAssistants = () => import('../../assistants/assistants-screen.tsx');
