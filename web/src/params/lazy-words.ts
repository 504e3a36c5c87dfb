// The sentences of the parameters come with them: the first screen has no room for what it does not show.
import { FALLBACK, i18n } from '../i18n.ts';
import words from '../locales/en-US/params.json';

if (i18n.isInitialized) add();
else i18n.on('initialized', add);

function add(): void {
  i18n.addResourceBundle(FALLBACK, 'translation', words);
}
