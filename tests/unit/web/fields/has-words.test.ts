import { expect, test } from 'vitest';
import { hasWords } from '../../../../web/src/ui/fields/has-words.ts';

test.each([
  ['Send with Enter', 'enter', true],
  ['Send with Enter', 'ENT send', true],
  ['Send with Enter', 'enter receive', false],
  ['Paramètres généraux', 'generaux', true],
  ['Ajouter', 'ajoutér', true],
  ['Дизайн ёлки', 'ёлки', true],
  ['設定を検索', '検索', true],
])('%s is found by %s: %s', (text, query, isFound) => {
  expect(hasWords(text, query)).toBe(isFound);
});
