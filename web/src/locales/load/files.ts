import { addMessages } from '../../i18n.ts';
import words from '../en-US/files.json';

addMessages(words);
