import { addMessages } from '../../i18n.ts';
import words from '../en-US/presets.json';

addMessages(words);
