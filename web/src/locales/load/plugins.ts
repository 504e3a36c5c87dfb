import './failures.ts';
import './tools.ts';
import { addMessages } from '../../i18n.ts';
import words from '../en-US/plugins.json';

addMessages(words);
