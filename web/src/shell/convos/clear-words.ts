import { bringWords } from '../../i18n.ts';
import words from '../../locales/en-US/clear.json';

bringWords(words);
