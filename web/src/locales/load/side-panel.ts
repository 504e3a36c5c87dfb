import { addMessages } from '../../i18n.ts';
import words from '../en-US/side-panel.json';

addMessages(words);
