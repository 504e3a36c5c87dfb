import { isNamed, type NamePiece } from './model-names.ts';

/**
 * The month up to which models know the world, by a piece of their names; the last match wins. From their providers.
 */
const KNOWLEDGE: readonly (readonly [match: NamePiece, month: string | undefined])[] = [
  ['gpt-3.5', '2021-09'],
  ['gpt-4', '2021-09'],
  ['gpt-4-1106', '2023-04'],
  ['gpt-4-vision', '2023-04'],
  ['gpt-4-0125', '2023-12'],
  ['gpt-4-turbo', '2023-12'],
  ['gpt-4o', '2023-10'],
  ['gpt-4.1', '2024-06'],
  ['gpt-4.5', undefined],
  ['claude-3', '2023-08'],
  ['claude-3-5-sonnet', '2024-04'],
  ['claude-3-5-haiku', '2024-07'],
  ['claude-3-7', '2024-11'],
  ['gemini-2.5', '2025-01'],
];

/** As YYYY-MM; undefined where it is not known. */
export function knowledgeCutoff(model: string): string | undefined {
  return KNOWLEDGE.findLast(([match]) => isNamed(model, match))?.[1];
}
