import { addMessages } from '../../i18n.ts';
import words from '../en-US/first-person.json';

addMessages(words);
