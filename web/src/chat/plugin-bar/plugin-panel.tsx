import '@mantine/core/styles/FloatingIndicator.css';
import '@mantine/core/styles/SegmentedControl.css';
import { SegmentedControl } from '@mantine/core';
import type { Settings } from '@parley/schema/catalog/params';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelTarget } from '../../catalog/model-target.ts';
import { useAgentModels } from '../../endpoints/use-agent-models.ts';
import { ParamFields } from '../../params/param-fields.tsx';
import { HeaderPopover } from '../header/header-popover.tsx';
import look from '../header/header-popover.module.css';
import { ToolList } from '../tools/tool-list.tsx';
import classes from './plugin-bar.module.css';
import type { PluginView } from './use-plugin-view.ts';
import { VisuallyHidden } from '../../ui/primitives/visually-hidden.tsx';

interface PluginPanelProps {
  view: PluginView;
  onView: (view: PluginView) => void;
  /** Another chat starts with empty input. */
  chatKey: string;
  modelTarget: ModelTarget;
  isNewChat: boolean;
  /** The keys of the tools that are on. */
  chosen: readonly string[];
  onChoose: (keys: readonly string[]) => void;
  onChange: (settings: Settings) => void;
  onClose: () => void;
  /** A click or the focus went elsewhere. */
  onLeave: () => void;
}

/** The plugins, the agent or the model's parameters of a conversation, and a switch between them. */
export function PluginPanel(props: PluginPanelProps) {
  const { view, onView, chatKey, modelTarget, isNewChat, chosen, onChoose, onChange, onClose, onLeave } = props;
  const { t } = useTranslation();
  const titleId = useId();
  const { endpoint, endpointType, model, settings } = modelTarget;
  const agentModels = useAgentModels(endpoint);
  const views: { value: PluginView; label: string }[] = [
    { value: 'plugins', label: t('com_tools_source_plugin') },
    { value: 'agent', label: t('com_params_agent_view') },
    { value: 'model', label: t('com_params_agent_view_model') },
  ];
  const bar = (
    <>
      <VisuallyHidden component="h2" id={titleId}>
        {t('com_params_agent_bar')}
      </VisuallyHidden>
      <SegmentedControl
        className={classes.views}
        fullWidth
        withItemsBorders={false}
        size="sm"
        aria-labelledby={titleId}
        data={views}
        value={view}
        onChange={onView}
      />
    </>
  );

  return (
    <HeaderPopover titleId={titleId} isOpen onClose={onClose} onLeave={onLeave} bar={bar}>
      {view === 'plugins' ? (
        <div className={classes.tools}>
          <ToolList chosen={chosen} onChange={onChoose} onClose={onClose} />
        </div>
      ) : (
        <div className={look.body}>
          <ParamFields
            key={`${chatKey} ${view}`}
            type={endpointType}
            model={model}
            agentModels={agentModels}
            settings={settings}
            isNewChat={isNewChat}
            part={view === 'agent' ? 'agent' : 'others'}
            onChange={onChange}
          />
        </div>
      )}
    </HeaderPopover>
  );
}
