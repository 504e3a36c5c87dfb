import './lazy-words.ts';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChoose } from '../chat/use-choose.ts';
import type { Chat } from '../chat/use-chat.ts';
import { Arriving } from '../lib/arriving.tsx';
import { lazyScreen } from '../lib/lazy-screen.tsx';
import { useOpener } from '../lib/use-opener.ts';
import { IconButton } from '../shell/icon-button.tsx';
import classes from './params-button.module.css';
import { offersParams } from './shown-params.ts';

const popover = lazyScreen(async () => (await import('./params-popover.tsx')).ParamsPopover, 'ahead');

/** Opens the parameters of the chat, and shows by a dot that some are not as they come. */
export function ParamsButton({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const choose = useChoose();
  const { isOpen, button, close, leave, handlers } = useOpener();
  /** Stays once it was opened, and with it what was written and cannot be used yet. */
  const [wasOpened, setOpened] = useState(false);
  if (isOpen && !wasOpened) setOpened(true);
  function giveUp(): void {
    setOpened(false);
    close();
  }

  const { addressee, slot } = chat;
  if (!addressee) return null;
  const { endpoint, endpointType, model, settings } = addressee;
  if (!offersParams({ type: endpointType, model, settings, isNewChat: slot.isFresh })) return null;
  const changed = Object.keys(settings).length;

  return (
    <div className={classes.anchor}>
      <IconButton
        ref={button}
        className={classes.button}
        label={changed > 0 ? t('com_params_changed', { count: changed }) : t('com_params')}
        data-testid="params-button"
        data-changed={changed > 0 || undefined}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={popover.preload}
        onFocus={popover.preload}
        {...handlers}
      >
        <IconAdjustmentsHorizontal aria-hidden />
      </IconButton>
      {wasOpened && (
        <Arriving onFailure={giveUp}>
          <popover.Screen
            chatKey={`${slot.conversationId} ${endpoint}`}
            addressee={addressee}
            isNewChat={slot.isFresh}
            isOpen={isOpen}
            onClose={close}
            onLeave={leave}
            onChange={(next) => choose({ endpoint, model, settings: next })}
          />
        </Arriving>
      )}
    </div>
  );
}
