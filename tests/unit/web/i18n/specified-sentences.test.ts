// Sentences that people know from the documentation, from support and from other clients. A change of the words may add
// to them, but keeps them. A table for each kind of test shows them in their situations.
import { readEnglish } from '@parley/scripts/locales/read-locales';
import { expect, test } from 'vitest';
import specified from '../../../fixtures/specified-sentences.json' with { type: 'json' };

const english = Object.values(readEnglish()).map(plain);

test.each(Object.values(specified).flat())('English has “%s”', (sentence) => {
  expect(english.filter((one) => one.includes(sentence))).not.toEqual([]);
});

/** With straight quotation marks, and `{}` for what is filled in. */
function plain(sentence: string): string {
  return sentence
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/\{\{[^}]*\}\}/g, '{}');
}
