import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSetModel } from '../../slots/use-set-model.ts';
import { isTemporary } from '../is-temporary.ts';
import type { Chat } from '../use-chat.ts';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { usePopoverButton } from '../../ui/menu/use-popover-button.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import classes from './params-button.module.css';
import { changedParams, offersParams } from '../../params/shown-params.ts';
import { paramsPopover } from '../lazy-panels.ts';

/** Opens the chat's parameters. A dot marks values that differ from the defaults. */
export function ParamsButton({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const choose = useSetModel();
  const { isOpen, button, close, leave, handlers } = usePopoverButton();
  /** Stays mounted after the first opening, to keep input that is not valid yet. */
  const [wasOpened, setOpened] = useState(false);
  if (isOpen && !wasOpened) setOpened(true);
  function giveUp(): void {
    setOpened(false);
    close();
  }

  const { modelTarget, slot } = chat;
  if (!modelTarget) return null;
  const { endpoint, endpointType, model, settings } = modelTarget;
  if (!offersParams({ type: endpointType, model, settings, isNewChat: slot.isNewChat })) return null;
  const changed = changedParams(settings);

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
        onPointerEnter={paramsPopover.preload}
        onFocus={paramsPopover.preload}
        {...handlers}
      >
        <IconAdjustmentsHorizontal aria-hidden />
      </IconButton>
      {wasOpened && (
        <LazyBoundary onFailure={giveUp}>
          <paramsPopover.Screen
            chatKey={`${slot.conversationId} ${endpoint}`}
            modelTarget={modelTarget}
            isNewChat={slot.isNewChat}
            isTemporary={isTemporary(chat)}
            isOpen={isOpen}
            onClose={close}
            onLeave={leave}
            onChange={(next) => choose({ endpoint, model, settings: next })}
          />
        </LazyBoundary>
      )}
    </div>
  );
}
