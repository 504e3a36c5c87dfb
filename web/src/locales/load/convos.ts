import { addMessages } from '../../i18n.ts';
import words from '../en-US/convos.json';

addMessages(words);
