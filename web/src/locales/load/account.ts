import { addMessages } from '../../i18n.ts';
import words from '../en-US/account.json';

addMessages(words);
