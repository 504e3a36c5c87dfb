import { addMessages } from '../../i18n.ts';
import words from '../en-US/context.json';

addMessages(words);
