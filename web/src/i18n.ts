// Languages. American English comes with the app, so that no key is ever without a sentence; any other arrives when it
// is chosen, from the folder of its name.
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { readText, writeText } from './lib/persist.ts';

type Sentences = Record<string, string>;

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
const others = import.meta.glob<Sentences>(['./locales/*/*.json', '!./locales/en-US/*.json'], { import: 'default' });

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
  await speak(chosenLanguage());
}

/** 'auto' or a language tag, as it is stored. */
export function chosenLanguage(): string {
  return readText(STORED_AS)?.replaceAll('"', '') || AUTO;
}

/** Changes the language now and for later visits. */
export async function chooseLanguage(chosen: string): Promise<void> {
  writeText(STORED_AS, chosen);
  await speak(chosen);
}

/** The offered languages, English first. */
export function offeredLanguages(): string[] {
  return [FALLBACK, ...new Set(Object.keys(others).map(languageOf))];
}

/** The offered language nearest to what is wanted: the same tag, else the same tongue, else English. */
export function nearest(wanted: readonly string[], offered: readonly string[]): string {
  for (const tag of wanted) {
    const same = offered.find((language) => language.toLowerCase() === tag.toLowerCase());
    const akin = offered.find((language) => tongue(language) === tongue(tag));
    if (same ?? akin) return same ?? akin ?? FALLBACK;
  }
  return FALLBACK;
}

async function speak(chosen: string): Promise<void> {
  const language = nearest(chosen === AUTO ? navigator.languages : [chosen], offeredLanguages());
  await load(language).catch(() => console.warn(`The language ${language} could not be loaded.`));
  await i18n.changeLanguage(i18n.hasResourceBundle(language, 'translation') ? language : FALLBACK);
  document.documentElement.lang = i18n.language;
  document.documentElement.dir = i18n.dir();
}

async function load(language: string): Promise<void> {
  if (i18n.hasResourceBundle(language, 'translation')) return;
  const files = Object.entries(others).filter(([path]) => languageOf(path) === language);
  const rooms = await Promise.all(files.map(([, read]) => read()));
  i18n.addResourceBundle(language, 'translation', Object.assign({}, ...rooms));
}

function languageOf(path: string): string {
  return path.split('/')[2] ?? FALLBACK;
}

function tongue(tag: string): string {
  return tag.split('-')[0]?.toLowerCase() ?? tag;
}
