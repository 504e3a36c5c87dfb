import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../lib/format-number.ts';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import type { Found, FinderState } from './finder.ts';
import classes from './file-view.module.css';

/** The search in the file on screen. Enter goes to the next place, Shift+Enter to the one before, Escape ends it. */
export function FindBar({ state, onClose }: { state: FinderState; onClose: () => void }) {
  const { t } = useTranslation();
  const { text, found, search, move } = state;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);

  function onKeyDown(event: KeyboardEvent): void {
    const keys: Record<string, () => void> = { Enter: () => move(event.shiftKey ? -1 : 1), Escape: onClose };
    const act = keys[event.key];
    if (!act || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  return (
    <search className={classes.find}>
      <SearchField
        ref={field}
        className={classes.findField}
        placeholder={t('com_viewer_find')}
        value={text}
        onChange={({ currentTarget }) => search(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Count found={found} isSearch={text.trim() !== ''} />
      <IconButton label={t('com_viewer_find_previous')} onClick={() => move(-1)}>
        <IconChevronUp aria-hidden />
      </IconButton>
      <IconButton label={t('com_viewer_find_next')} onClick={() => move(1)}>
        <IconChevronDown aria-hidden />
      </IconButton>
      <IconButton label={t('com_viewer_find_close')} onClick={onClose}>
        <IconX aria-hidden />
      </IconButton>
    </search>
  );
}

function Count({ found, isSearch }: { found: Found | null; isSearch: boolean }) {
  const { t, i18n } = useTranslation();
  const number = (value: number) => formatNumber(value, i18n.language);
  const words =
    found === null || !isSearch
      ? ''
      : found.of === 0
        ? t('com_viewer_found_nothing')
        : t('com_viewer_found', { 0: number(found.at), 1: number(found.of) });
  return (
    <span className={classes.count} role="status">
      {words}
    </span>
  );
}
