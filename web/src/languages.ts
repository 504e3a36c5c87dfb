import { FALLBACK_LANGUAGE, type Translations } from './fallback-language.ts';

// The languages besides English, one file each, named by tag.
const files = import.meta.glob<Translations>('./locales/*.json', { import: 'default' });

/** English first. */
export function offeredLanguages(): string[] {
  return [FALLBACK_LANGUAGE, ...Object.keys(files).map((path) => path.slice('./locales/'.length, -'.json'.length))];
}

/** The translations of a language; missing keys fall back to English. Empty for English, which is always loaded. */
export async function loadLanguage(language: string): Promise<Translations> {
  return (await files[`./locales/${language}.json`]?.()) ?? {};
}

/**
 * The offered language closest to the wanted ones: same tag, otherwise same language and script, otherwise same
 * language.
 */
export function nearestLanguage(wanted: readonly string[], offered: readonly string[]): string {
  for (const tag of wanted) {
    const same = offered.find((language) => language.toLowerCase() === tag.toLowerCase());
    const alike = offered.find((language) => scriptOf(language) === scriptOf(tag));
    const akin = offered.find((language) => languageOf(language) === languageOf(tag));
    if (same ?? alike ?? akin) return same ?? alike ?? akin ?? FALLBACK_LANGUAGE;
  }
  return FALLBACK_LANGUAGE;
}

/** A standard tag: browsers read the TC of `zh-TC` as the Turks and Caicos Islands, not as Traditional Chinese. */
export function standardTag(language: string): string {
  return language === 'zh-TC' ? 'zh-Hant' : language;
}

/** Where browsers know only the name of a country, or not which of two forms it is. */
const OWN_NAMES: Readonly<Record<string, string>> = {
  'id-ID': 'Bahasa Indonesia',
  'pt-BR': 'Português (Brasil)',
};

/** The language's own name for itself, in its own script. Chinese is offered twice, distinguished by script. */
export function ownName(language: string): string {
  const tag = standardTag(language);
  const { language: tongue, script } = new Intl.Locale(tag).maximize();
  const name =
    OWN_NAMES[language] ??
    new Intl.DisplayNames([tag], { type: 'language' }).of(tongue === 'zh' ? `zh-${script}` : tongue);
  return name ? name.charAt(0).toLocaleUpperCase(tag) + name.slice(1) : language;
}

/** For example `zh-Hant` for `zh-TW`; an invalid tag stays as it is. */
function scriptOf(language: string): string {
  try {
    const { language: tongue, script } = new Intl.Locale(standardTag(language)).maximize();
    return `${tongue}-${script}`;
  } catch {
    return language;
  }
}

function languageOf(language: string): string {
  return scriptOf(language).split('-')[0] ?? language;
}
