// The sentences of a language fit those of English. What it has not yet is English: `npm run check-locales` counts
// that.
import {
  pluralKeys,
  keysFor,
  listLanguages,
  missingIn,
  readEnglish,
  readLanguage,
  type Sentences,
} from '@parley/scripts/locales/read-locales';
import { describe, expect, test } from 'vitest';
import specified from '../../../fixtures/specified-sentences.json' with { type: 'json' };

const english = readEnglish();
const languages = listLanguages();

/** Names of makers, and words that other tongues took over. */
const MOST_LIKE_ENGLISH = 0.15;

/** The accessible names of buttons that show less, and what they show. People who speak to the page say what they see. */
const LABELLED = {
  com_nav_import_conversations: 'com_import_start',
};

/** Other words for a chat, by language: a page that has two words for it seems to have two things. */
const OTHER_WORDS: Record<string, RegExp> = {
  'en-US': /conversation/i,
  'de-DE': /gespräch|unterhaltung|konversation/i,
  'es-ES': /conversaci|charla/i,
  'fr-FR': /\bchats?\b|discussion/i,
  'he-HE': /צ.אט/,
  'id-ID': /percakapan|\bchat\b/i,
  'it-IT': /conversazion|discussion/i,
  'ja-JP': /会話|対話/,
  'ko-KR': /대화/,
  'nl-NL': /gesprek|conversatie/i,
  'pl-PL': /rozm[oó]w|konwersac/i,
  'pt-BR': /\bchats?\b|bate-papo/i,
  'ru-RU': /бесед|разговор/i,
  'sv-SE': /konversation|samtal/i,
  'tr-TR': /konuşma(?!sını)/i,
  'vi-VN': /\bchat\b|hội thoại/i,
  'zh-CN': /聊天|会话/,
  'zh-TC': /聊天|會話/,
};

const SPECIFIED = Object.values(specified).flat();

test('the languages are those of the list', () => {
  expect(['en-US', ...languages].toSorted()).toEqual(
    'ar-EG de-DE en-US es-ES fr-FR he-HE id-ID it-IT ja-JP ko-KR nl-NL pl-PL pt-BR ru-RU sv-SE tr-TR vi-VN zh-CN zh-TC'.split(
      ' ',
    ),
  );
});

test('a key ends in the name of a plural form only where it has all forms', () => {
  const forms = new Set(Object.keys(english).flatMap((key) => pluralKeys(key.replace(/_other$/, ''), 'en-US')));
  const ends = Object.keys(english).filter((key) => /_(zero|one|two|few|many|other)$/.test(key));
  expect(ends.filter((key) => !forms.has(key))).toEqual([]);
});

test.each(Object.entries(OTHER_WORDS))('%s has one word for a chat', (language, others) => {
  const sentences = Object.values(language === 'en-US' ? english : readLanguage(language));
  // Names of files and of placeholders are no words of the language, and some English sentences stand as they are.
  const words = sentences.map((sentence) =>
    SPECIFIED.reduce((rest, one) => rest.replace(one, ''), sentence).replaceAll(/conversations\.json|{{\w+}}/g, ''),
  );
  expect(words.filter((sentence) => others.test(sentence))).toEqual([]);
});

describe.each(languages)('%s', (language) => {
  const sentences = readLanguage(language);
  const rules = new Intl.PluralRules(language);

  test('has no sentences that English lacks', () => {
    const known = new Set(keysFor(language, english));
    expect(Object.keys(sentences).filter((key) => !known.has(key))).toEqual([]);
  });

  test('has every plural form of its sentences', () => {
    const counted = Object.keys(english).filter((key) => key.endsWith('_other'));
    for (const key of counted.map((other) => other.replace(/_other$/, ''))) {
      const forms = pluralKeys(key, language).filter((form) => form in sentences);
      if (forms.length > 0) expect(forms).toEqual(pluralKeys(key, language));
    }
  });

  test('has the placeholders of English', () => {
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

  test('is trimmed, normalised and without markup', () => {
    for (const [key, sentence] of Object.entries(sentences)) {
      expect(sentence, key).toBe(sentence.trim().normalize('NFC'));
      expect(sentence, key).not.toBe('');
      expect(sentence.includes('…'), key).toBe((english[key] ?? sentence).includes('…'));
      expect(sentence, key).not.toMatch(/\.\.\.|<[^|\s]|&\w+;/);
    }
  });

  test('names a button with the words that it shows', () => {
    for (const [key, words] of Object.entries(LABELLED))
      expect(sentences[key]?.toLocaleLowerCase(language), key).toContain(sentences[words]?.toLocaleLowerCase(language));
  });

  test('is translated', () => {
    const same = Object.entries(sentences).filter(
      ([key, sentence]) => sentence === english[key] && /[a-z]{3}/.test(sentence),
    );
    expect(same.length / Object.keys(sentences).length).toBeLessThan(MOST_LIKE_ENGLISH);
  });
});

describe('the count of missing translations', () => {
  const two: Sentences = { greeting: 'Hello', rows_one: '{{count}} row', rows_other: '{{count}} rows' };

  test('names the missing sentences, in any order of keys', () => {
    expect(missingIn('de-DE', { rows_other: 'Zeilen', rows_one: 'Zeile', greeting: 'Hallo' }, two)).toEqual([]);
    expect(missingIn('de-DE', { rows_other: 'Zeilen' }, two)).toEqual(['greeting', 'rows_one']);
  });

  test('requires the plural forms of the language', () => {
    expect(missingIn('ja-JP', { greeting: 'こんにちは', rows_other: '行' }, two)).toEqual([]);
    expect(missingIn('pl-PL', { greeting: 'Cześć' }, two)).toEqual(['rows_one', 'rows_few', 'rows_many', 'rows_other']);
  });
});

/** What the sentence leaves to be filled in. */
function filled(sentence: string): string[] {
  return [...sentence.matchAll(/\{\{[^}]*\}\}|\$t\([^)]*\)/g)].map(([name]) => name).toSorted();
}
