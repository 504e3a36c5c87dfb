import { addMessages } from '../../i18n.ts';
import words from '../en-US/drafts.json';

addMessages(words);
