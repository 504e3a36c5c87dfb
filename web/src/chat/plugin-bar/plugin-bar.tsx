import '../../locales/load/params.ts';
import '../../locales/load/tools.ts';
import { useMediaQuery } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconPuzzle, IconRobot } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ModelTarget } from '../../catalog/model-target.ts';
import { isChosenElsewhere } from '../../params/shown-params.ts';
import { useSetModel } from '../../slots/use-set-model.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { lazyScreen } from '../../ui/lazy/lazy-screen.tsx';
import params from '../header/params-button.module.css';
import { useToolChoice } from '../tools/use-tool-choice.ts';
import type { Chat } from '../use-chat.ts';
import classes from './plugin-bar.module.css';
import { useViews } from './use-views.ts';

const panel = lazyScreen(async () => (await import('./plugin-panel.tsx')).PluginPanel, 'ahead');

/** Narrower windows have one button in place of the bar. */
const WIDE = '(min-width: 640px)';

interface PluginBarProps {
  chat: Chat;
  modelTarget: ModelTarget;
}

/** What a plugins conversation works with, in the header: its plugins, its agent and its model. */
export function PluginBar({ chat, modelTarget }: PluginBarProps) {
  const { t } = useTranslation();
  const isWide = useMediaQuery(WIDE, true, { getInitialValueInEffect: false });
  const choose = useSetModel();
  const { chosen, select } = useToolChoice(chat);
  const { view, setView, close, leave, buttonOf } = useViews();
  const { slot } = chat;
  const { endpoint, model, settings } = modelTarget;
  const changed = Object.keys(settings).filter((one) => !isChosenElsewhere(one)).length;
  const { length } = chosen;
  const name = t('com_params_agent_bar');
  const preload = { onPointerEnter: panel.preload, onFocus: panel.preload };

  return (
    <div className={classes.anchor} data-testid="plugin-bar">
      {isWide ? (
        <div className={classes.bar} role="group" aria-label={name} {...preload}>
          <Button type="button" size="sm" variant="default" {...buttonOf('plugins')}>
            <IconPuzzle aria-hidden />
            {t('com_tools_source_plugin')}
            {length > 0 && <span className={classes.count}>{length}</span>}
          </Button>
          <Button type="button" size="sm" variant="default" {...buttonOf('agent')}>
            <IconRobot aria-hidden />
            {t('com_params_agent_view')}
          </Button>
          <IconButton
            className={params.button}
            label={changed > 0 ? t('com_params_changed', { count: changed }) : t('com_params')}
            data-changed={changed > 0 || undefined}
            {...buttonOf('model')}
          >
            <IconAdjustmentsHorizontal aria-hidden />
          </IconButton>
        </div>
      ) : (
        <IconButton
          className={classes.single}
          label={length > 0 ? `${name}, ${t('com_tools_on', { count: length })}` : name}
          {...preload}
          {...buttonOf(view ?? 'plugins')}
        >
          <IconPuzzle aria-hidden />
          {length > 0 && (
            <span className={classes.count} aria-hidden>
              {length}
            </span>
          )}
        </IconButton>
      )}
      {view && (
        <LazyBoundary onFailure={close}>
          <panel.Screen
            view={view}
            onView={setView}
            chatKey={`${slot.conversationId} ${endpoint}`}
            modelTarget={modelTarget}
            isNewChat={slot.isNewChat}
            chosen={chosen}
            onChoose={select}
            onChange={(next) => choose({ endpoint, model, settings: next })}
            onClose={close}
            onLeave={leave}
          />
        </LazyBoundary>
      )}
    </div>
  );
}
