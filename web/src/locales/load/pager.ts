import { addMessages } from '../../i18n.ts';
import words from '../en-US/pager.json';

addMessages(words);
