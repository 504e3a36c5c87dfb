import { addMessages } from '../../i18n.ts';
import words from '../en-US/temporary.json';

addMessages(words);
