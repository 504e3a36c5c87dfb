import type { Known } from '@parley/schema/prompts/placeholders';

interface Person {
  name: string;
  email: string;
  /** The language of the page. */
  language: string;
}

/** The values that a prompt names and nobody is asked for. Of those only the clipboard needs the browser's permission. */
export async function knownValues(named: ReadonlySet<Known>, person: Person, now = new Date()) {
  const { name, email, language } = person;
  const values: Partial<Record<Known, string>> = {
    today: now.toLocaleDateString(language, { dateStyle: 'long' }),
    now: now.toLocaleString(language, { dateStyle: 'long', timeStyle: 'short' }),
    time: now.toLocaleTimeString(language, { timeStyle: 'short' }),
    weekday: now.toLocaleDateString(language, { weekday: 'long' }),
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    iso: now.toISOString(),
    me: name,
    email,
    language: new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language,
  };
  // Where it is refused, the text has a gap that the person sees.
  if (named.has('clipboard')) values.clipboard = await navigator.clipboard?.readText().catch(() => '');
  return values;
}
