import { addMessages } from '../../i18n.ts';
import words from '../en-US/palette.json';

addMessages(words);
