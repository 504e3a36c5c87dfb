// Everything by typing: conversations, what was said in them, and what can be done.
import './lazy-words.ts';
import '@mantine/core/styles/Modal.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/Paper.css';
import '@mantine/core/styles/VisuallyHidden.css';
import { Modal, VisuallyHidden } from '@mantine/core';
import { cutQuery, QUERY_MAX } from '@parley/schema/cut-query';
import { IconSearch } from '@tabler/icons-react';
import { useId, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../lib/describe-error.ts';
import { focusAtOnce } from '../lib/focus-at-once.ts';
import { fits, optionId, type Entry } from './entry.ts';
import classes from './palette.module.css';
import { PaletteList } from './palette-list.tsx';
import { useActions } from './use-actions.ts';
import { useConversations } from './use-conversations.ts';

/** How many entries Page Up and Page Down go past. */
const PAGE_STEP = 6;

/** The open palette. Whoever opens it takes care of the focus afterwards. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const listId = useId();
  const [written, setWritten] = useState('');
  const query = cutQuery(written.trim());
  const { groups, isSearching, error } = useGroups(query, onClose);
  const entries = groups.flatMap((group) => group.entries);
  const { active, point, step } = useActive(entries, query);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') active?.run();
    else if (!step(event.key)) return;
    event.preventDefault();
  }

  return (
    <Modal.Root
      opened
      onClose={onClose}
      returnFocus={false}
      lockScroll={false}
      size={600}
      xOffset="8px"
      yOffset="10dvh"
      classNames={{ overlay: classes.overlay, content: classes.content }}
    >
      <Modal.Overlay />
      <Modal.Content ref={focusAtOnce} aria-label={t('com_palette')}>
        <div className={classes.box}>
          <IconSearch aria-hidden />
          <input
            className={classes.input}
            role="combobox"
            aria-expanded
            aria-controls={listId}
            aria-activedescendant={active && optionId(listId, active)}
            aria-autocomplete="list"
            aria-label={t('com_palette_placeholder')}
            placeholder={t('com_palette_placeholder')}
            value={written}
            dir={written === '' ? undefined : 'auto'}
            autoComplete="off"
            maxLength={QUERY_MAX}
            enterKeyHint="go"
            data-autofocus
            onChange={(event) => setWritten(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
        </div>
        <PaletteList id={listId} groups={groups} active={active} onPoint={point} />
        {error !== null && (
          <p className={classes.nothing} role="alert">
            {describeError(error, t)}
          </p>
        )}
        {entries.length === 0 && !isSearching && error === null && (
          <p className={classes.nothing}>{t('com_ui_nothing_found')}</p>
        )}
        <VisuallyHidden role="status">
          {query !== '' && !isSearching && t('com_palette_results', { count: entries.length })}
        </VisuallyHidden>
      </Modal.Content>
    </Modal.Root>
  );
}

/** What fits the query, without empty groups. What the server finds comes last, so that nothing moves when it comes. */
function useGroups(query: string, close: () => void): ReturnType<typeof useConversations> {
  const conversations = useConversations(query, close);
  const actions = useActions(close).map(({ name, entries }) => ({
    name,
    entries: entries.filter(({ label, words }) => typeof label !== 'string' || fits(`${label} ${words ?? ''}`, query)),
  }));
  const groups = query === '' ? [...conversations.groups, ...actions] : [...actions, ...conversations.groups];
  return { ...conversations, groups: groups.filter(({ entries }) => entries.length > 0) };
}

/** The entry that Enter chooses: the first until another was pointed at, which it stays while it is there. */
function useActive(entries: Entry[], query: string) {
  const [pointed, setPointed] = useState<{ id: string; query: string } | null>(null);
  const found = entries.findIndex(({ id }) => id === pointed?.id && query === pointed.query);
  const index = Math.max(found, 0);

  /** Whether the key was one that goes somewhere. */
  function step(key: string): boolean {
    const last = entries.length - 1;
    const to: Record<string, number> = {
      ArrowDown: index === last ? 0 : index + 1,
      ArrowUp: index === 0 ? last : index - 1,
      PageDown: Math.min(index + PAGE_STEP, last),
      PageUp: Math.max(index - PAGE_STEP, 0),
    };
    const next = to[key];
    if (next === undefined) return false;
    point(entries[next]);
    return true;
  }

  function point(entry: Entry | undefined): void {
    setPointed(entry ? { id: entry.id, query } : null);
  }

  return { active: entries[index], point, step };
}
