// The sentences come with the button and the dialogs: the first screen has no room for them.
import { FALLBACK, i18n } from '../i18n.ts';
import words from '../locales/en-US/presets.json';

i18n.addResourceBundle(FALLBACK, 'translation', words);
