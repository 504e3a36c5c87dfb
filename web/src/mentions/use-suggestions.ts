import type { Chat } from '../chat/use-chat.ts';
import type { PaletteGroup } from '../palette/palette-entry.ts';
import type { Trigger } from './find-trigger.ts';
import { useAnswererSuggestions } from './use-answerer-suggestions.ts';
import { useCommandSuggestions } from './use-command-suggestions.ts';
import { useContextSuggestions } from './use-context-suggestions.ts';

/** What a sign offers. `takeOut` takes it out of the text, which each entry does first. */
export function useSuggestions(chat: Chat, { sign, query }: Trigger, takeOut: () => void): PaletteGroup[] {
  const ofSign = { '/': useCommandSuggestions, '@': useAnswererSuggestions, '#': useContextSuggestions };
  // The list of one sign is mounted anew for another one.
  const groups = ofSign[sign](chat, query, takeOut);
  return groups.filter(({ entries }) => entries.length > 0);
}
