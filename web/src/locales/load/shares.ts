import { addMessages } from '../../i18n.ts';
import words from '../en-US/shares.json';

addMessages(words);
