import { addMessages } from '../../i18n.ts';
import words from '../en-US/settings.json';

addMessages(words);
