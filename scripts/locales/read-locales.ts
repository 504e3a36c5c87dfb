// Reads the locale files: the English sentences, and their translations.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../build-stamps.mjs';

export type Sentences = Record<string, string>;

/** Plural forms in CLDR order. */
const NUMBERS = ['zero', 'one', 'two', 'few', 'many', 'other'] as const;

const folder = join(root, 'web/src/locales');

/** Every English sentence; parts of the app have files of their own. */
export function readEnglish(): Sentences {
  const parts = readdirSync(join(folder, 'en-US')).map((file) => read(join('en-US', file)));
  return Object.assign({}, ...parts);
}

/** The tags of the languages besides English. */
export function listLanguages(): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.replace('.json', ''));
}

export function readLanguage(language: string): Sentences {
  return read(`${language}.json`);
}

/** The keys of a complete translation: a sentence with a number has a key for each plural form of the language. */
export function keysFor(language: string, english: Sentences): string[] {
  return Object.keys(english).flatMap((key) => {
    if (key.endsWith('_other')) return pluralKeys(key.replace(/_other$/, ''), language);
    return key.endsWith('_one') && key.replace(/_one$/, '_other') in english ? [] : [key];
  });
}

/** The keys of a sentence with a number, such as `key_one` and `key_other`. */
export function pluralKeys(key: string, language: string): string[] {
  const has = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  return NUMBERS.filter((number) => has.includes(number)).map((number) => `${key}_${number}`);
}

/** The untranslated keys. */
export function missingIn(language: string, sentences: Sentences, english: Sentences): string[] {
  return keysFor(language, english).filter((key) => !(key in sentences));
}

function read(file: string): Sentences {
  return JSON.parse(readFileSync(join(folder, file), 'utf8')) as Sentences;
}
