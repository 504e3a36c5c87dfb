import { bringWords } from '../../i18n.ts';
import words from '../../locales/en-US/convos.json';

bringWords(words);
