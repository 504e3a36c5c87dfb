export const PROMPTS_PATH = '/prompts';
/** In the place of an id: the prompt that is not saved yet. */
export const NEW_PROMPT = 'new';
export const NEW_PROMPT_PATH = promptPath(NEW_PROMPT);

export function promptPath(id: string): string {
  return `${PROMPTS_PATH}/${id}`;
}
