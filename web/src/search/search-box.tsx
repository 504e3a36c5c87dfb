import { QUERY_MAX } from '@parley/schema/cut-query';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useShowDialog } from '../shell/dialogs/dialogs.ts';
import { keysOf, SHORTCUTS } from '../shell/shortcuts.ts';
import classes from './search-box.module.css';
import { useQueryBox } from './use-query-box.ts';

/** Where one searches in everything that was said; empty, it also names the key of the palette. */
export function SearchBox({ autoFocus = false }: { autoFocus?: boolean }) {
  const { t } = useTranslation();
  const show = useShowDialog();
  const input = useRef<HTMLInputElement>(null);
  const keys = keysOf(SHORTCUTS.palette);
  const { text, write, submit, clear } = useQueryBox();

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') submit();
    if (event.key === 'ArrowDown') document.querySelector<HTMLElement>('[data-hit]')?.focus();
    if (event.key === 'Escape' && text !== '') {
      event.stopPropagation();
      clear();
    }
  }

  return (
    <div className={classes.box} role="search">
      <IconSearch className={classes.glass} aria-hidden />
      <input
        ref={input}
        className={classes.input}
        type="search"
        value={text}
        placeholder={t('com_nav_search_placeholder')}
        aria-label={t('com_nav_search_placeholder')}
        data-testid="search-input"
        maxLength={QUERY_MAX}
        enterKeyHint="search"
        autoComplete="off"
        // Only where a person has just asked to search.
        autoFocus={autoFocus}
        dir={text === '' ? undefined : 'auto'}
        onChange={(event) => write(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {text === '' ? (
        <button
          type="button"
          className={classes.keys}
          aria-label={t('com_palette_open', { 0: keys })}
          title={t('com_palette_open', { 0: keys })}
          onClick={() => show({ name: 'palette' })}
        >
          {keys}
        </button>
      ) : (
        <button
          type="button"
          className={classes.clear}
          aria-label={t('com_search_clear')}
          title={t('com_search_clear')}
          onClick={() => {
            clear();
            input.current?.focus();
          }}
        >
          <IconX aria-hidden />
        </button>
      )}
    </div>
  );
}
