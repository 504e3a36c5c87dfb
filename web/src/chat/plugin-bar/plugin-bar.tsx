import { useMediaQuery } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconPuzzle, IconRobot, type Icon } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelTarget } from '../../catalog/model-target.ts';
import { changedParams } from '../../params/shown-params.ts';
import { useSetModel } from '../../slots/use-set-model.ts';
import { Button } from '../../ui/button.tsx';
import { CountBadge } from '../../ui/count-badge.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import params from '../header/params-button.module.css';
import { useToolChoice } from '../tools/use-tool-choice.ts';
import type { Chat } from '../use-chat.ts';
import classes from './plugin-bar.module.css';
import { usePluginView } from './use-plugin-view.ts';
import { pluginPanel } from '../lazy-panels.ts';

/** Narrower windows have one button in place of the bar. */
const WIDE = '(min-width: 640px)';
/** The breakpoint of the header's stylesheet. */
const SMALL = '(max-width: 768px)';

interface PluginBarProps {
  chat: Chat;
  modelTarget: ModelTarget;
  /** The header shares the window's width with a panel. */
  isNarrowed: boolean;
}

/** What a plugins conversation works with, in the header: its plugins, its agent and its model. */
export function PluginBar({ chat, modelTarget, isNarrowed }: PluginBarProps) {
  const choose = useSetModel();
  const { chosen, select } = useToolChoice(chat);
  const { view, setView, close, leave, buttonOf } = usePluginView();
  const { slot } = chat;
  const { endpoint, model, settings } = modelTarget;
  return (
    <div
      className={classes.anchor}
      data-testid="plugin-bar"
      onPointerEnter={pluginPanel.preload}
      onFocus={pluginPanel.preload}
    >
      <Buttons
        isNarrowed={isNarrowed}
        pluginCount={chosen.length}
        changedCount={changedParams(settings)}
        view={view}
        buttonOf={buttonOf}
      />
      {view && (
        <LazyBoundary onFailure={close}>
          <pluginPanel.Screen
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

interface ButtonsProps extends Pick<ReturnType<typeof usePluginView>, 'view' | 'buttonOf'> {
  isNarrowed: boolean;
  pluginCount: number;
  /** How many parameters differ from their defaults. */
  changedCount: number;
}

/** A button for each view; where they have no room, one for all. */
function Buttons({ isNarrowed, pluginCount, changedCount, view, buttonOf }: ButtonsProps) {
  const { t } = useTranslation();
  const isWide = useMediaQuery(WIDE, true, { getInitialValueInEffect: false });
  const isCompact = useMediaQuery(SMALL, false, { getInitialValueInEffect: false }) || isNarrowed;
  const name = t('com_params_agent_bar');
  const plugins = { icon: IconPuzzle, count: pluginCount };
  if (!isWide) return <BarButton {...plugins} label={name} isCompact {...buttonOf(view ?? 'plugins')} />;
  return (
    <div className={classes.bar} role="group" aria-label={name}>
      <BarButton {...plugins} label={t('com_tools_source_plugin')} isCompact={isCompact} {...buttonOf('plugins')} />
      <BarButton icon={IconRobot} label={t('com_params_agent_view')} isCompact={isCompact} {...buttonOf('agent')} />
      <IconButton
        className={params.button}
        label={changedCount > 0 ? t('com_params_changed', { count: changedCount }) : t('com_params')}
        data-changed={changedCount > 0 || undefined}
        {...buttonOf('model')}
      >
        <IconAdjustmentsHorizontal aria-hidden />
      </IconButton>
    </div>
  );
}

interface BarButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  icon: Icon;
  label: string;
  /** Shown above zero. */
  count?: number;
  /** Without its words. */
  isCompact: boolean;
}

function BarButton({ icon: Sign, label, count = 0, isCompact, ...rest }: BarButtonProps) {
  const { t } = useTranslation();
  if (!isCompact) {
    return (
      <Button size="sm" {...rest}>
        <Sign aria-hidden />
        {label}
        <CountBadge count={count} />
      </Button>
    );
  }
  return (
    <IconButton
      className={classes.compact}
      label={count > 0 ? `${label}, ${t('com_tools_on', { count })}` : label}
      {...rest}
    >
      <Sign aria-hidden />
      <CountBadge count={count} isInCorner />
    </IconButton>
  );
}
