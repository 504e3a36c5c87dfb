import { addMessages } from '../../i18n.ts';
import words from '../en-US/auth.json';

addMessages(words);
