import './lazy-words.ts';
import { IconBookmark } from '@tabler/icons-react';
import { lazy, Suspense, useRef, useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Chat } from '../chat/use-chat.ts';
import { IconButton } from '../shell/icon-button.tsx';
import classes from './presets-button.module.css';

const loadMenu = () => import('./preset-menu.tsx');
const PresetMenu = lazy(() => loadMenu().then(({ PresetMenu }) => ({ default: PresetMenu })));
const preload = () => void loadMenu().catch(() => undefined);

/** Opens the list of presets. */
export function PresetsButton({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);

  function close(): void {
    setOpen(false);
    button.current?.focus({ preventScroll: true });
  }

  /** The list closes by itself when something else is pressed. Here the click is what closes it. */
  function leaveOpen(event: SyntheticEvent): void {
    if (isOpen) event.stopPropagation();
  }

  return (
    <div className={classes.anchor}>
      <IconButton
        ref={button}
        label={t('com_endpoint_presets')}
        data-testid="presets-button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={preload}
        onFocus={preload}
        onMouseDown={leaveOpen}
        onTouchStart={leaveOpen}
        onClick={() => (isOpen ? close() : setOpen(true))}
      >
        <IconBookmark aria-hidden />
      </IconButton>
      {isOpen && (
        <Suspense>
          <PresetMenu chat={chat} onClose={close} onLeave={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
