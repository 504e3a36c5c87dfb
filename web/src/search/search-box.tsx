import { QUERY_MAX } from '@parley/schema/search/cut-query';
import { IconX } from '@tabler/icons-react';
import { useAtomValue } from 'jotai';
import { useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useShowDialog } from '../dialogs/open-dialog.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { boundKeysAtom } from '../layout/bound-keys.ts';
import { shownKeys } from '../layout/shortcuts.ts';
import { SearchField } from '../ui/fields/search-field.tsx';
import classes from './search-box.module.css';
import { useSearchText } from './use-search-text.ts';

/** The search input for all messages; while empty, it shows the shortcut of the palette. */
export function SearchBox({ autoFocus = false }: { autoFocus?: boolean }) {
  const { t } = useTranslation();
  const show = useShowDialog();
  const input = useRef<HTMLInputElement>(null);
  const keys = shownKeys(useAtomValue(boundKeysAtom).palette, t);
  const { text, write, submit, clear } = useSearchText();

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
      <SearchField
        ref={input}
        type="search"
        value={text}
        placeholder={t('com_nav_search_placeholder')}
        data-testid="search-input"
        maxLength={QUERY_MAX}
        enterKeyHint="search"
        // Autofocus only right after the user opened the search.
        autoFocus={autoFocus}
        onChange={(event) => write(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        end={
          text === '' ? (
            keys !== '' && (
              <IconButton
                className={`${classes.end} ${classes.keys}`}
                label={t('com_palette_open', { 0: keys })}
                onClick={() => show({ name: 'palette' })}
              >
                <bdi>{keys}</bdi>
              </IconButton>
            )
          ) : (
            <IconButton
              className={classes.end}
              label={t('com_search_clear')}
              onClick={() => {
                clear();
                input.current?.focus();
              }}
            >
              <IconX aria-hidden />
            </IconButton>
          )
        }
      />
    </div>
  );
}
