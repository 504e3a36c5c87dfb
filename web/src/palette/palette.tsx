// The command palette: conversations, messages and actions.
import '@mantine/core/styles/Modal.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/Paper.css';
import { Modal } from '@mantine/core';
import { cutQuery, QUERY_MAX } from '@parley/schema/search/cut-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../errors/describe-error.ts';
import { focusOnOpen } from '../ui/menu/focus-on-open.ts';
import { SearchField } from '../ui/fields/search-field.tsx';
import { comboboxProps } from './combobox-props.ts';
import { matchesWordStarts } from './palette-entry.ts';
import classes from './palette.module.css';
import { PaletteList } from './palette-list.tsx';
import { useActiveEntry } from './use-active-entry.ts';
import { usePaletteActions } from './use-palette-actions.ts';
import { usePaletteConvos } from './use-palette-convos.ts';
import { usePaletteProjects } from './use-palette-projects.ts';
import { VisuallyHidden } from '../ui/primitives/visually-hidden.tsx';

/** The open palette. The opener restores the focus. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const listId = useId();
  const [written, setWritten] = useState('');
  const query = cutQuery(written.trim());
  const { groups, isSearching, error } = useGroups(query, onClose);
  const entries = groups.flatMap((group) => group.entries);
  const { active, point, step } = useActiveEntry(entries, query);

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
      <Modal.Content ref={focusOnOpen} aria-label={t('com_palette')}>
        <SearchField
          className={classes.box}
          {...comboboxProps(listId, active, step)}
          placeholder={t('com_palette_placeholder')}
          value={written}
          maxLength={QUERY_MAX}
          enterKeyHint="go"
          data-autofocus
          onChange={(event) => setWritten(event.currentTarget.value)}
        />
        <PaletteList id={listId} label={t('com_palette')} groups={groups} active={active} onPoint={point} />
        {error !== null && (
          <p className={classes.empty} role="alert">
            {describeError(error, t)}
          </p>
        )}
        {entries.length === 0 && !isSearching && error === null && (
          <p className={classes.empty}>{t('com_ui_nothing_found')}</p>
        )}
        <VisuallyHidden role="status">
          {query !== '' && !isSearching && t('com_palette_results', { count: entries.length })}
        </VisuallyHidden>
      </Modal.Content>
    </Modal.Root>
  );
}

/**
 * The groups that match the query, without empty ones. Server results are last, so that their arrival moves nothing.
 */
function useGroups(query: string, close: () => void): ReturnType<typeof usePaletteConvos> {
  const conversations = usePaletteConvos(query, close);
  const actions = usePaletteActions(close).map(({ name, entries }) => ({
    name,
    entries: entries.filter(
      ({ label, words }) => typeof label !== 'string' || matchesWordStarts(`${label} ${words ?? ''}`, query),
    ),
  }));
  const projects = usePaletteProjects(query, close);
  const groups =
    query === '' ? [...conversations.groups, projects, ...actions] : [...actions, projects, ...conversations.groups];
  return { ...conversations, groups: groups.filter(({ entries }) => entries.length > 0) };
}
