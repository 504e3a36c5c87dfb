import './lazy-words.ts';
import { IconBookmark } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Chat } from '../chat/use-chat.ts';
import { Arriving } from '../lib/arriving.tsx';
import { lazyScreen } from '../lib/lazy-screen.tsx';
import { useOpener } from '../lib/use-opener.ts';
import { IconButton } from '../shell/icon-button.tsx';
import classes from './presets-button.module.css';

const menu = lazyScreen(async () => (await import('./preset-menu.tsx')).PresetMenu, 'ahead');

/** Opens the list of presets. */
export function PresetsButton({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const { isOpen, button, close, leave, handlers } = useOpener();

  return (
    <div className={classes.anchor}>
      <IconButton
        ref={button}
        label={t('com_endpoint_presets')}
        data-testid="presets-button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={menu.preload}
        onFocus={menu.preload}
        {...handlers}
      >
        <IconBookmark aria-hidden />
      </IconButton>
      {isOpen && (
        <Arriving onFailure={close}>
          <menu.Screen chat={chat} onClose={close} onLeave={leave} />
        </Arriving>
      )}
    </div>
  );
}
