import { IconBookmark } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Chat } from '../use-chat.ts';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { usePopoverButton } from '../../ui/menu/use-popover-button.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import classes from './presets-button.module.css';
import { presetMenu } from '../lazy-panels.ts';

/** Opens the list of presets. */
export function PresetsButton({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const { isOpen, button, close, leave, handlers } = usePopoverButton();

  return (
    <div className={classes.anchor}>
      <IconButton
        ref={button}
        label={t('com_endpoint_presets')}
        data-testid="presets-button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={presetMenu.preload}
        onFocus={presetMenu.preload}
        {...handlers}
      >
        <IconBookmark aria-hidden />
      </IconButton>
      {isOpen && (
        <LazyBoundary onFailure={close}>
          <presetMenu.Screen chat={chat} onClose={close} onLeave={leave} />
        </LazyBoundary>
      )}
    </div>
  );
}
