import { addMessages } from '../../i18n.ts';
import words from '../en-US/export.json';

addMessages(words);
