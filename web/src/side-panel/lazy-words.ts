import { bringWords } from '../i18n.ts';
import words from '../locales/en-US/side-panel.json';

bringWords(words);
