import { addMessages } from '../../i18n.ts';
import words from '../en-US/heading.json';

addMessages(words);
