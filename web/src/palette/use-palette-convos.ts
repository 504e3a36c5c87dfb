import { useDebouncedValue } from '@mantine/hooks';
import type { Convo } from '@parley/schema/convos/convos';
import type { SearchGroup } from '@parley/schema/search/search';
import { IconArchive, IconMessage, IconMessageSearch, IconSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { navigate } from 'wouter/use-browser-location';
import { messageAddress, searchAddress } from '../search/search-address.ts';
import { useSearchResults } from '../search/use-search-results.ts';
import { useSearchEnabled } from '../search/use-search-enabled.ts';
import { formatDate } from '../lib/format-date.ts';
import { useConvos, usePinnedConvos } from '../convos/use-convos.ts';
import { containsWords, type PaletteEntry, type PaletteGroup } from './palette-entry.ts';

const RECENT_MAX = 5;
const TITLES_MAX = 6;
const MESSAGES_MAX = 8;
/** Milliseconds from the last key press to the server search. */
const SEARCH_AFTER_MS = 250;

interface PaletteConvos {
  groups: PaletteGroup[];
  isSearching: boolean;
  /** Why the server search failed. */
  error: unknown;
}

/** The conversations to open: the latest, or those that match the query, followed by matching messages. */
export function usePaletteConvos(query: string, close: () => void): PaletteConvos {
  const { t, i18n } = useTranslation();
  const { convos } = useConvos();
  const pinned = usePinnedConvos();
  const isEnabled = useSearchEnabled();
  const [searched] = useDebouncedValue(query, SEARCH_AFTER_MS);
  const { groups: found, found: search } = useSearchResults(isEnabled && query !== '' ? searched : '');
  const known = [...pinned, ...convos];

  const toConvo = (convo: Convo): PaletteEntry => ({
    id: convo.conversationId,
    Icon: convo.isArchived ? IconArchive : IconMessage,
    label: convo.title ?? t('com_ui_new_chat'),
    hint: formatDate(convo.updatedAt, i18n.language),
    run: go(`/c/${convo.conversationId}`),
  });
  const toMessages = ({ convo, hits }: SearchGroup): PaletteEntry[] =>
    hits.map((hit) => ({
      id: hit.messageId,
      Icon: IconMessageSearch,
      label: hit.snippet,
      hint: convo.title ?? t('com_ui_new_chat'),
      run: go(messageAddress(convo.conversationId, hit.messageId)),
    }));
  const go = (address: string) => () => {
    close();
    navigate(address);
  };

  if (query === '') {
    const recent = known.toSorted((one, other) => Date.parse(other.updatedAt) - Date.parse(one.updatedAt));
    return {
      groups: [{ name: t('com_palette_recent'), entries: recent.slice(0, RECENT_MAX).map(toConvo) }],
      isSearching: false,
      error: null,
    };
  }

  const near = known.filter(({ title }) => title !== null && containsWords(title, query));
  const nearIds = new Set(near.map(({ conversationId }) => conversationId));
  const far = found.filter(({ convo, titleParts }) => !nearIds.has(convo.conversationId) && titleParts.some(isHit));
  const titles = [...near, ...far.map(({ convo }) => convo)].slice(0, TITLES_MAX);
  const everything: PaletteEntry = {
    id: 'search',
    Icon: IconSearch,
    label: t('com_palette_search_for', { 0: query }),
    run: go(searchAddress(query)),
  };
  return {
    groups: [
      { name: t('com_palette_convos'), entries: titles.map(toConvo) },
      {
        name: t('com_palette_messages'),
        entries: [...(isEnabled ? [everything] : []), ...found.flatMap(toMessages).slice(0, MESSAGES_MAX)],
      },
    ],
    isSearching: isEnabled && (searched !== query || search.isFetching),
    error: isEnabled && searched === query ? search.error : null,
  };
}

function isHit(part: { isHit: boolean }): boolean {
  return part.isHit;
}
