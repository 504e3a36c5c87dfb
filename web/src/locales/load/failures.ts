import { addMessages } from '../../i18n.ts';
import failures from '../en-US/failures.json';

// Messages for failed answers, shared by the thread and the key dialog.
addMessages(failures);
