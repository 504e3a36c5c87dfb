import { addMessages } from '../../i18n.ts';
import words from '../en-US/reasons.json';

addMessages(words);
