import type { PromptHead } from '@parley/schema/prompts/prompt-rules';
import { expect, test } from 'vitest';
import { findPrompts } from '../../../../web/src/prompts/find-prompts.ts';

const prompt = (command: string, title: string, tags: string[] = []): PromptHead => {
  const marks = { isShared: false, ownerName: null, isFavorite: false, uses: 0, updatedAt: '' };
  return { ownerId: '', id: command, command, title, tags, ...marks };
};

/** In the order of the list: the most used first. */
const prompts = [
  prompt('review', 'Review my code'),
  prompt('decode', 'Base64'),
  prompt('explain', 'Barcode scanner'),
  prompt('letters', 'Write', ['code']),
  prompt('code-review', 'Look at this'),
  prompt('code', 'Programs'),
  prompt('report', 'Weekly'),
];

test.each([
  ['code', ['code', 'code-review', 'review', 'letters', 'decode', 'explain']],
  ['CODE', ['code', 'code-review', 'review', 'letters', 'decode', 'explain']],
  ['code-', ['code-review']],
  ['re', ['review', 'report', 'code-review']],
  ['my review', ['review']],
  ['(', []],
])('%s finds the command, then what begins so, then words: %j', (query, found) => {
  expect(findPrompts(prompts, query).map(({ command }) => command)).toEqual(found);
});

test('the list stays as it is without words', () => {
  expect(findPrompts(prompts, ' ')).toEqual(prompts);
});
