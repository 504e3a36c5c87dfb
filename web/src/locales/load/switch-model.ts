import { addMessages } from '../../i18n.ts';
import words from '../en-US/switch-model.json';

addMessages(words);
