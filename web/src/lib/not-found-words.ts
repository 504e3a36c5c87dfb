import { bringWords } from '../i18n.ts';
import words from '../locales/en-US/not-found.json';

bringWords(words);
