import { isNamed, type NamePiece } from './model-names.ts';

/** Name pieces of models that accept images (docs/rest-compat.md, Models and windows, and later models). */
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
/** Matches a piece above but accepts no images. */
const BLIND = 'gpt-4-turbo-preview';

/** Whether a model accepts images, judged by its name. */
export function takesPictures(model: string): boolean {
  return !model.includes(BLIND) && SEEING.some((piece) => isNamed(model, piece));
}
