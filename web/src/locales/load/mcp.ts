import './auth.ts';
import './failures.ts';
import './reasons.ts';
import './settings.ts';
import './tools.ts';
import { addMessages } from '../../i18n.ts';
import words from '../en-US/mcp.json';

addMessages(words);
