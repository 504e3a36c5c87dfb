import { addMessages } from '../../i18n.ts';
import words from '../en-US/params.json';

addMessages(words);
