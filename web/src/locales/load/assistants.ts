import { addMessages } from '../../i18n.ts';
import words from '../en-US/assistants.json';

addMessages(words);
