import { bringWords } from '../i18n.ts';
import words from '../locales/en-US/balance.json';

bringWords(words);
