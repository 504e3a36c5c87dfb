import '../lib/failure-words.ts';
import { bringWords } from '../i18n.ts';
import words from '../locales/en-US/keys.json';

bringWords(words);
