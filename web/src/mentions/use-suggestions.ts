import type { Chat } from '../chat/use-chat.ts';
import type { PaletteGroup } from '../palette/palette-entry.ts';
import type { Trigger } from './find-trigger.ts';
import { useAnswererSuggestions } from './use-answerer-suggestions.ts';
import { useCommandSuggestions } from './use-command-suggestions.ts';
import { useContextSuggestions } from './use-context-suggestions.ts';

/** As many as one reads at a glance, without scrolling; typing finds the others. */
const SHOWN_MAX = 7;

/** What a sign offers. `takeOut` takes it out of the text, which each entry does first. */
export function useSuggestions(chat: Chat, { sign, query }: Trigger, takeOut: () => void): PaletteGroup[] {
  const ofSign = { '/': useCommandSuggestions, '@': useAnswererSuggestions, '#': useContextSuggestions };
  // The list of one sign is mounted anew for another one.
  const groups = ofSign[sign](chat, query, takeOut);
  return firstOf(groups).filter(({ entries }) => entries.length > 0);
}

/** The last group keeps its best entry where those before it fill the list. */
function firstOf(groups: readonly PaletteGroup[]): PaletteGroup[] {
  const last = Math.min(1, groups.at(-1)?.entries.length ?? 0);
  let left = SHOWN_MAX;
  return groups.map(({ name, entries }, index) => {
    const shown = entries.slice(0, index === groups.length - 1 ? left : left - last);
    left -= shown.length;
    return { name, entries: shown };
  });
}
