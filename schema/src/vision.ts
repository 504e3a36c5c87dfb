/** Pieces of the names of models that take pictures (C.6 of the REST facts). */
const SEEING = ['gpt-4-vision', 'llava', 'gemini-pro-vision', 'claude-3', 'gemini-1.5', 'gpt-4-turbo'];
/** Has such a piece in its name and takes none. */
const BLIND = 'gpt-4-turbo-preview';

/** Whether a model takes pictures, as far as its name tells. */
export function takesPictures(model: string): boolean {
  return !model.includes(BLIND) && SEEING.some((piece) => model.includes(piece));
}
