// The addresses of the pages of assistants.
export const ASSISTANTS_PATH = '/assistants';
/** Leads back from the page of an assistant. */
export const ALL_ASSISTANTS = { href: ASSISTANTS_PATH, label: 'com_assistants_all' } as const;
export const NEW_ASSISTANT_PATH = `${ASSISTANTS_PATH}/new`;

export function pathOfAssistant(assistantId: string): string {
  return `${ASSISTANTS_PATH}/${assistantId}`;
}
