import { addMessages } from '../../i18n.ts';
import words from '../en-US/landing.json';

addMessages(words);
