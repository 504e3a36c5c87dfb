// The languages that are offered besides English, each a file of its name.
import { FALLBACK, type Sentences } from './i18n.ts';

const files = import.meta.glob<Sentences>('./locales/*.json', { import: 'default' });

/** English first. */
export function offeredLanguages(): string[] {
  return [FALLBACK, ...Object.keys(files).map((path) => path.slice('./locales/'.length, -'.json'.length))];
}

/** All sentences of a language; none of English, which is there. */
export async function loadLanguage(language: string): Promise<Sentences> {
  return (await files[`./locales/${language}.json`]?.()) ?? {};
}

/** The offered language nearest to what is wanted: the same tag, else the same tongue and script, else the same tongue. */
export function nearest(wanted: readonly string[], offered: readonly string[]): string {
  for (const tag of wanted) {
    const same = offered.find((language) => language.toLowerCase() === tag.toLowerCase());
    const alike = offered.find((language) => scriptOf(language) === scriptOf(tag));
    const akin = offered.find((language) => tongueOf(language) === tongueOf(tag));
    if (same ?? alike ?? akin) return same ?? alike ?? akin ?? FALLBACK;
  }
  return FALLBACK;
}

/** As browsers know it: to them, the TC of `zh-TC` is a group of islands and not Traditional Chinese. */
export function standardTag(language: string): string {
  return language === 'zh-TC' ? 'zh-Hant' : language;
}

/** Such as `zh-Hant` for `zh-TW`; what is no tag is itself. */
function scriptOf(language: string): string {
  try {
    const { language: tongue, script } = new Intl.Locale(standardTag(language)).maximize();
    return `${tongue}-${script}`;
  } catch {
    return language;
  }
}

function tongueOf(language: string): string {
  return scriptOf(language).split('-')[0] ?? language;
}
