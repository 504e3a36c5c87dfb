import './lazy-words.ts';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChoose } from '../chat/use-choose.ts';
import type { Chat } from '../chat/use-chat.ts';
import { useOpener } from '../lib/use-opener.ts';
import { IconButton } from '../shell/icon-button.tsx';
import classes from './params-button.module.css';
import { offersParams } from './shown-params.ts';

const loadPopover = () => import('./params-popover.tsx');
const ParamsPopover = lazy(() => loadPopover().then(({ ParamsPopover }) => ({ default: ParamsPopover })));
const preload = () => void loadPopover().catch(() => undefined);

/** Opens the parameters of the chat, and shows by a dot that some are not as they come. */
export function ParamsButton({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const choose = useChoose();
  const { isOpen, button, close, leave, handlers } = useOpener();
  /** Stays once it was opened, and with it what was written and cannot be used yet. */
  const [wasOpened, setOpened] = useState(false);
  if (isOpen && !wasOpened) setOpened(true);
  const { addressee, slot } = chat;
  if (!addressee || !offersParams(addressee.endpointType, slot.isFresh)) return null;
  const { endpoint, model, settings } = addressee;
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
        onPointerEnter={preload}
        onFocus={preload}
        {...handlers}
      >
        <IconAdjustmentsHorizontal aria-hidden />
      </IconButton>
      {wasOpened && (
        <Suspense fallback={null}>
          <ParamsPopover
            chatKey={`${slot.conversationId} ${endpoint}`}
            addressee={addressee}
            isNewChat={slot.isFresh}
            isOpen={isOpen}
            onClose={close}
            onLeave={leave}
            onChange={(next) => choose({ endpoint, model, settings: next })}
          />
        </Suspense>
      )}
    </div>
  );
}
