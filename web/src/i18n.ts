// The language of the interface. American English comes with the app, room by room, so that no key is ever without a
// sentence; any other arrives whole when it is wanted.
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { readText, writeText } from './lib/persist.ts';

export type Sentences = Record<string, string>;

export const FALLBACK = 'en-US';
/** Follows the browser. */
export const AUTO = 'auto';
const STORED_AS = 'lang';

// What is not on the first screen brings its own.
const english = import.meta.glob<Sentences>(
  [
    './locales/en-US/*.json',
    '!./locales/en-US/{auth,balance,bing,clear,content,context,convos,drafts,endpoint-menu,export,failures}.json',
    '!./locales/en-US/{fork,found,keys,not-found,palette,params,presets,settings,side-panel,thread}.json',
  ],
  { eager: true, import: 'default' },
);

export const i18n = i18next.createInstance();

/** For what is opened later and brings its own sentences. */
export function bringWords(words: Sentences): void {
  const bring = () => void i18n.addResourceBundle(FALLBACK, 'translation', words);
  if (i18n.isInitialized) bring();
  else i18n.on('initialized', bring);
}

/** Ready when the chosen language can be spoken. A language that cannot be loaded is English for now. */
export async function startI18n(): Promise<void> {
  await i18n.use(initReactI18next).init({
    lng: FALLBACK,
    fallbackLng: FALLBACK,
    resources: { [FALLBACK]: { translation: Object.assign({}, ...Object.values(english)) } },
    // React escapes what it shows.
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  await speak(chosenLanguage()).catch(() => switchTo(FALLBACK));
}

/** 'auto' or a language tag, as it is stored. */
export function chosenLanguage(): string {
  return readText(STORED_AS)?.replaceAll('"', '') || AUTO;
}

/** Changes the language now and for later visits. Rejects, and all is as it was, if the language cannot be loaded. */
export async function chooseLanguage(chosen: string): Promise<void> {
  await speak(chosen);
  writeText(STORED_AS, chosen);
}

async function speak(chosen: string): Promise<void> {
  const wanted = chosen === AUTO ? navigator.languages : [chosen];
  // Who reads English does not wait for the list of the others.
  if (wanted[0]?.startsWith('en')) return switchTo(FALLBACK);
  const { loadLanguage, nearest, offeredLanguages, standardTag } = await import('./languages.ts');
  const language = nearest(wanted, offeredLanguages());
  const tag = standardTag(language);
  if (!i18n.hasResourceBundle(tag, 'translation'))
    i18n.addResourceBundle(tag, 'translation', await loadLanguage(language));
  await switchTo(tag);
}

/** @param tag of a language whose sentences are there */
async function switchTo(tag: string): Promise<void> {
  await i18n.changeLanguage(tag);
  document.documentElement.lang = tag;
  document.documentElement.dir = i18n.dir();
}
