import { bringWords } from '../i18n.ts';
import failures from '../locales/en-US/failures.json';

// Why an answer failed or was not begun: said where answers are, and where keys are given.
bringWords(failures);
