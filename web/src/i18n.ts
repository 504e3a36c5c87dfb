// The language of the interface. The American English of the first screen ships with the app; the rest of it arrives with
// the first part that loads later, so that no key ever lacks a sentence. Other languages load whole on demand.
import i18next, { type FormatterModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { SETTINGS } from '@parley/schema/settings/interface';
import { FALLBACK_LANGUAGE, type Translations } from './fallback-language.ts';
import { formatNumber } from './lib/format-number.ts';
import { readSetting, writeSetting } from './stored-settings.ts';

/** Uses the browser's language. */
export const AUTO = SETTINGS.language.default;

const first = import.meta.glob<Translations>(
  './locales/en-US/{chat,common,endpoints,failures,reasons,search,shell}.json',
  {
    eager: true,
    import: 'default',
  },
);

export const i18n = i18next.createInstance();

/** Numbers in a sentence have the digits and separators of its language, wherever they come from. */
const numbers: FormatterModule = {
  type: 'formatter',
  init() {},
  add() {},
  addCached() {},
  format: (value: unknown, _format, language = FALLBACK_LANGUAGE) =>
    typeof value === 'number' ? formatNumber(value, language) : String(value ?? ''),
};

/** Resolves when the chosen language has loaded. If it cannot load, English is used for now. */
export async function startI18n(): Promise<void> {
  await i18n
    .use(initReactI18next)
    .use(numbers)
    .init({
      lng: FALLBACK_LANGUAGE,
      fallbackLng: FALLBACK_LANGUAGE,
      resources: { [FALLBACK_LANGUAGE]: { translation: Object.assign({}, ...Object.values(first)) } },
      react: { bindI18nStore: 'added' },
      // React already escapes.
      interpolation: { escapeValue: false, alwaysFormat: true },
      returnNull: false,
    });
  await applyLanguage(chosenLanguage()).catch(() => switchTo(FALLBACK_LANGUAGE));
}

let hasAll = false;

/** Adds the English sentences of a screen that is drawn before all of them have arrived. */
export function addSentences(sentences: Translations): void {
  i18n.addResourceBundle(FALLBACK_LANGUAGE, 'translation', sentences, true);
}

/** Resolves when every English sentence is there. Each part that loads later waits for it. */
export async function loadSentences(): Promise<void> {
  if (hasAll) return;
  const { english } = await import('./locales/english.ts');
  if (!hasAll) addSentences(english);
  hasAll = true;
}

/** The stored value: 'auto' or a language tag. */
export function chosenLanguage(): string {
  return readSetting('language');
}

/** Changes the language now and for later visits. Rejects, and changes nothing, if the language cannot load. */
export async function chooseLanguage(chosen: string): Promise<void> {
  await applyLanguage(chosen);
  writeSetting('language', chosen);
}

async function applyLanguage(chosen: string): Promise<void> {
  const wanted = chosen === AUTO ? navigator.languages : [chosen];
  // English users need not wait for the list of languages.
  if (wanted[0]?.startsWith('en')) return switchTo(FALLBACK_LANGUAGE);
  const { loadLanguage, nearestLanguage, offeredLanguages, standardTag } = await import('./languages.ts');
  const language = nearestLanguage(wanted, offeredLanguages());
  const tag = standardTag(language);
  if (!i18n.hasResourceBundle(tag, 'translation'))
    i18n.addResourceBundle(tag, 'translation', await loadLanguage(language));
  await switchTo(tag);
}

/** @param tag of a loaded language */
async function switchTo(tag: string): Promise<void> {
  await i18n.changeLanguage(tag);
  document.documentElement.lang = tag;
  document.documentElement.dir = i18n.dir();
}
