// The sentences come with the dialog: the first screen has no room for them.
import { FALLBACK, i18n } from '../i18n.ts';
import words from '../locales/en-US/settings.json';

i18n.addResourceBundle(FALLBACK, 'translation', words);
