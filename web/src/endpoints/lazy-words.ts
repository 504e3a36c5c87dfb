import { bringWords } from '../i18n.ts';
import words from '../locales/en-US/endpoint-menu.json';

bringWords(words);
