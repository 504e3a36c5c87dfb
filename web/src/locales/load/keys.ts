import './failures.ts';
import { addMessages } from '../../i18n.ts';
import words from '../en-US/keys.json';

addMessages(words);
