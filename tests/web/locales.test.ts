// Every language says everything that English says, with the forms of number it has.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

type Sentences = Record<string, string>;

const folder = new URL('../../web/src/locales/', import.meta.url);
const rooms = readdirSync(new URL('en-US/', folder)).map((room) => read(`en-US/${room}`));
const english: Sentences = Object.assign({}, ...rooms);
const languages = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replace('.json', ''));

/** Names of makers, and words that other tongues took over. */
const MOST_LIKE_ENGLISH = 0.15;

test('the languages are those of the list', () => {
  expect(['en-US', ...languages].toSorted()).toEqual(
    'ar-EG de-DE en-US es-ES fr-FR he-HE id-ID it-IT ja-JP ko-KR nl-NL pl-PL pt-BR ru-RU sv-SE tr-TR vi-VN zh-CN zh-TC'.split(
      ' ',
    ),
  );
});

describe.each(languages)('%s', (language) => {
  const sentences = read(`${language}.json`);
  const rules = new Intl.PluralRules(language);
  const numbers = rules.resolvedOptions().pluralCategories;

  test('has every sentence, in the order of the English ones, and each form of number', () => {
    const wanted = Object.keys(english).flatMap((key) => {
      if (key.endsWith('_other')) return formsOf(key, numbers);
      return key.endsWith('_one') && key.replace(/_one$/, '_other') in english ? [] : [key];
    });
    expect(Object.keys(sentences)).toEqual(wanted);
  });

  test('fills in what the English sentence does', () => {
    for (const [key, sentence] of Object.entries(sentences)) {
      const number = /_(zero|one|two|few|many)$/.exec(key)?.[1];
      const model = english[number ? key.replace(/_[a-z]+$/, '_other') : key] ?? '';
      // "One message" needs no figure, where that form is not also said of 21.
      const isOneNumber = number && ['zero', 'one', 'two'].includes(number) && rules.select(21) !== number;
      const needed = filled(model).filter((name) => !(isOneNumber && name.startsWith('{{count')));
      expect(filled(model), key).toEqual(expect.arrayContaining(filled(sentence)));
      expect(filled(sentence), key).toEqual(expect.arrayContaining(needed));
    }
  });

  test('is well written', () => {
    for (const [key, sentence] of Object.entries(sentences)) {
      expect(sentence, key).toBe(sentence.trim().normalize('NFC'));
      expect(sentence, key).not.toBe('');
      expect(sentence.includes('…'), key).toBe((english[key] ?? sentence).includes('…'));
      expect(sentence, key).not.toMatch(/\.\.\.|<[^|]|&\w+;/);
    }
  });

  test('is a translation', () => {
    const same = Object.entries(sentences).filter(
      ([key, sentence]) => sentence === english[key] && /[a-z]{3}/.test(sentence),
    );
    expect(same.length / Object.keys(sentences).length).toBeLessThan(MOST_LIKE_ENGLISH);
  });
});

function read(file: string): Sentences {
  return JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
}

/** In the order in which they are counted. */
function formsOf(key: string, numbers: readonly string[]): string[] {
  const order = ['zero', 'one', 'two', 'few', 'many', 'other'].filter((number) => numbers.includes(number));
  return order.map((number) => key.replace(/_other$/, `_${number}`));
}

/** What the sentence leaves to be filled in. */
function filled(sentence: string): string[] {
  return [...sentence.matchAll(/\{\{[^}]*\}\}|\$t\([^)]*\)/g)].map(([name]) => name).toSorted();
}
