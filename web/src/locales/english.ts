// All sentences in American English.
import type { Translations } from '../fallback-language.ts';

const files = import.meta.glob<Translations>('./en-US/*.json', { eager: true, import: 'default' });

export const english: Translations = Object.assign({}, ...Object.values(files));
