import { isNamed, type NamePiece } from './model-names.ts';

/** Pieces of the names of models that take pictures (C.6 of the REST facts, and those that came later). */
const SEEING: readonly NamePiece[] = [
  'gpt-4-vision',
  'llava',
  'gemini-pro-vision',
  'claude-3',
  'gemini-1.5',
  'gpt-4-turbo',
  /gpt-(?:4o|4\.[15]|[5-9])/,
  /(?:^|\/)o(?:[13](?!-mini|-preview)|4-mini)/,
  /claude-(?:opus|sonnet|haiku|fable|mythos)/,
  /gemini-(?:[2-9]|(?:pro|flash)(?:-lite)?-latest)/,
];
/** Has such a piece in its name and takes none. */
const BLIND = 'gpt-4-turbo-preview';

/** Whether a model takes pictures, as far as its name tells. */
export function takesPictures(model: string): boolean {
  return !model.includes(BLIND) && SEEING.some((piece) => isNamed(model, piece));
}
