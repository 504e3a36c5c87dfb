import { addMessages } from '../../i18n.ts';
import words from '../en-US/fork.json';

addMessages(words);
