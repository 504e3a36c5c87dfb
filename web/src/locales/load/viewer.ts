import { addMessages } from '../../i18n.ts';
import words from '../en-US/viewer.json';

addMessages(words);
