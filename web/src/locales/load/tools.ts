import './thread.ts';
import { addMessages } from '../../i18n.ts';
import words from '../en-US/tools.json';

addMessages(words);
