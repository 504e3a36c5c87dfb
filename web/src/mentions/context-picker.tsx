// Tests of this room: tests/unit/web/mentions.
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AddPopover } from '../chat/add/add-popover.tsx';
import type { Chat } from '../chat/use-chat.ts';
import { comboboxProps } from '../palette/combobox-props.ts';
import { PaletteList } from '../palette/palette-list.tsx';
import { useActiveEntry } from '../palette/use-active-entry.ts';
import { focusComposer } from '../slots/focus-composer.ts';
import { useSlotIndex } from '../slots/slot.ts';
import { SearchField } from '../ui/fields/search-field.tsx';
import { VisuallyHidden } from '../ui/primitives/visually-hidden.tsx';
import { SkeletonRows } from '../ui/skeleton/skeleton-rows.tsx';
import classes from './context-picker.module.css';
import { useChatEntries, useFileEntries } from './use-context-suggestions.ts';

interface ContextPickerProps {
  chat: Chat;
  kind: 'files' | 'chats';
  /** Closes and, unless told otherwise, returns the focus. */
  onClose: (takesFocus?: boolean) => void;
  onLeave: () => void;
}

/** The files or the earlier chats of the person, one of which goes along with the question. */
export function ContextPicker({ chat, kind, onClose, onLeave }: ContextPickerProps) {
  const { t } = useTranslation();
  const listId = useId();
  const index = useSlotIndex();
  const [written, setWritten] = useState('');
  const query = written.trim();
  const useEntries = { files: useFileEntries, chats: useChatEntries }[kind];
  // The kind stays while it is mounted.
  const { entries, isLoading } = useEntries(chat, query, () => {
    onClose(false);
    focusComposer(index);
  });
  const { active, point, step } = useActiveEntry(entries, query);
  const title = kind === 'files' ? t('com_composer_files') : t('com_composer_chats');

  return (
    <AddPopover title={title} onClose={() => onClose()} onLeave={onLeave}>
      <SearchField
        className={classes.search}
        {...comboboxProps(listId, active, step)}
        placeholder={kind === 'files' ? t('com_composer_find_file') : t('com_composer_find_chat')}
        value={written}
        data-autofocus
        onChange={(event) => setWritten(event.currentTarget.value)}
      />
      <div className={classes.list}>
        <PaletteList id={listId} label={title} groups={[{ name: '', entries }]} active={active} onPoint={point} />
      </div>
      {entries.length === 0 && (isLoading ? <SkeletonRows count={3} /> : <p className={classes.none}>{none()}</p>)}
      <VisuallyHidden role="status">
        {query !== '' && !isLoading && t('com_palette_results', { count: entries.length })}
      </VisuallyHidden>
    </AddPopover>
  );

  function none(): string {
    if (query !== '') return t('com_ui_nothing_found');
    return kind === 'files' ? t('com_files_none') : t('com_composer_no_chats');
  }
}
