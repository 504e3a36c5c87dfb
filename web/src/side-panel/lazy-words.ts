// The sentences of the side panel come with it, after the first screen.
import { FALLBACK, i18n } from '../i18n.ts';
import words from '../locales/en-US/side-panel.json';

if (i18n.isInitialized) add();
else i18n.on('initialized', add);

function add(): void {
  i18n.addResourceBundle(FALLBACK, 'translation', words);
}
