import { QUERY_MAX } from '@parley/schema/search/cut-query';
import { IconCommand, IconX } from '@tabler/icons-react';
import { useAtomValue } from 'jotai';
import { useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../ui/icon-button.tsx';
import { boundKeysAtom } from '../layout/bound-keys.ts';
import { isTouchDevice } from '../lib/is-touch-device.ts';
import { shownKeys } from '../layout/shortcuts.ts';
import { useShowFromDrawer } from '../layout/use-show-from-drawer.ts';
import { SearchField } from '../ui/fields/search-field.tsx';
import classes from './search-box.module.css';
import { useSearchText } from './use-search-text.ts';

/** The search input for all messages; while empty, it has the button of the palette. */
export function SearchBox({ autoFocus = false }: { autoFocus?: boolean }) {
  const { t } = useTranslation();
  const show = useShowFromDrawer();
  const input = useRef<HTMLInputElement>(null);
  const bound = useAtomValue(boundKeysAtom).palette;
  // Without a keyboard, keys say nothing.
  const keys = isTouchDevice() ? '' : shownKeys(bound, t);
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
            <IconButton
              className={classes.end}
              label={keys === '' ? t('com_palette') : t('com_palette_open', { 0: keys })}
              onClick={() => show({ name: 'palette' })}
            >
              {keys === '' ? <IconCommand aria-hidden /> : <bdi className={classes.keys}>{keys}</bdi>}
            </IconButton>
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
