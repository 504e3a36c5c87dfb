import './assistants.ts';
import { addMessages } from '../../i18n.ts';
import words from '../en-US/assistant-builder.json';

addMessages(words);
