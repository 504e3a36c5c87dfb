import { takesTools } from '@parley/schema/catalog/endpoints';
import { IconPlus } from '@tabler/icons-react';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { onUninstall } from '../../plugins/uninstall-events.ts';
import { CountBadge } from '../../ui/count-badge.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { usePopoverButton } from '../../ui/menu/use-popover-button.ts';
import { useStartup } from '../../startup.ts';
import type { Chat } from '../use-chat.ts';
import { useLastTools } from './use-last-tools.ts';
import { useToolChoice } from './use-tool-choice.ts';
import classes from './tools-button.module.css';
import { toolsMenu } from '../lazy-panels.ts';

/** Opens the list of tools, and shows how many are on. Only for models that take tools. */
export function ToolsButton({ chat }: { chat: Chat }) {
  const { modelTarget } = chat;
  const { t } = useTranslation();
  const areOff = useStartup()?.toolsEnabled === false;
  const { isOpen, button, close, leave, handlers } = usePopoverButton();
  const { chosen, change, select } = useToolChoice(chat);
  useLastTools(chat, change);
  const forget = useEffectEvent((key: string) => {
    if (chosen.includes(key)) select(chosen.filter((one) => one !== key));
  });
  useEffect(() => onUninstall((key) => forget(key)), []);

  if (areOff || !modelTarget || !takesTools(modelTarget.endpointType, modelTarget.model)) return null;
  return (
    <div className={classes.anchor}>
      <IconButton
        ref={button}
        type="button"
        className={classes.button}
        label={chosen.length > 0 ? t('com_tools_on', { count: chosen.length }) : t('com_tools')}
        data-testid="tools-button"
        data-on={chosen.length > 0 || undefined}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={toolsMenu.preload}
        onFocus={toolsMenu.preload}
        {...handlers}
      >
        <IconPlus aria-hidden />
        <CountBadge count={chosen.length} isInCorner />
      </IconButton>
      {isOpen && (
        <LazyBoundary onFailure={close}>
          <toolsMenu.Screen chosen={chosen} onChange={select} onClose={close} onLeave={leave} />
        </LazyBoundary>
      )}
    </div>
  );
}
