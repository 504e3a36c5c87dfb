// The addresses of the pages of assistants.
export const ASSISTANTS_PATH = '/assistants';
export const NEW_ASSISTANT_PATH = `${ASSISTANTS_PATH}/new`;

export function pathOfAssistant(assistantId: string): string {
  return `${ASSISTANTS_PATH}/${assistantId}`;
}
