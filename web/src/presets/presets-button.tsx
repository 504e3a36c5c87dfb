import './lazy-words.ts';
import { IconBookmark } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { Chat } from '../chat/use-chat.ts';
import { useOpener } from '../lib/use-opener.ts';
import { IconButton } from '../shell/icon-button.tsx';
import classes from './presets-button.module.css';

const loadMenu = () => import('./preset-menu.tsx');
const PresetMenu = lazy(() => loadMenu().then(({ PresetMenu }) => ({ default: PresetMenu })));
const preload = () => void loadMenu().catch(() => undefined);

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
        onPointerEnter={preload}
        onFocus={preload}
        {...handlers}
      >
        <IconBookmark aria-hidden />
      </IconButton>
      {isOpen && (
        <Suspense>
          <PresetMenu chat={chat} onClose={close} onLeave={leave} />
        </Suspense>
      )}
    </div>
  );
}
