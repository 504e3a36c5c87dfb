import { addMessages } from '../../i18n.ts';
import words from '../en-US/queue.json';

addMessages(words);
