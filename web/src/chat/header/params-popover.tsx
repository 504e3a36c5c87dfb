import type { Settings } from '@parley/schema/catalog/params';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelTarget } from '../../catalog/model-target.ts';
import { useAgentModels } from '../../endpoints/use-agent-models.ts';
import { ParamFields } from '../../params/param-fields.tsx';
import { ChatSwitches } from '../../params/chat-switches.tsx';
import { ResetAll } from '../../params/reset-all.tsx';
import { HeaderPopover } from './header-popover.tsx';
import classes from './header-popover.module.css';

interface ParamsPopoverProps {
  /** Another chat starts with empty input. */
  chatKey: string;
  modelTarget: ModelTarget;
  isNewChat: boolean;
  isTemporary: boolean;
  isOpen: boolean;
  onClose: () => void;
  /** A click or the focus went elsewhere. */
  onLeave: () => void;
  onChange: (settings: Settings) => void;
}

/** The parameters, positioned under its parent. */
export function ParamsPopover(props: ParamsPopoverProps) {
  const { chatKey, modelTarget, isNewChat, isTemporary, isOpen, onClose, onLeave, onChange } = props;
  const { t } = useTranslation();
  const titleId = useId();
  const { endpoint, endpointType, model, settings } = modelTarget;
  const agentModels = useAgentModels(endpoint);
  const bar = (
    <>
      <h2 id={titleId} className={classes.title}>
        {t('com_params')}
      </h2>
      <ResetAll settings={settings} onChange={onChange} />
    </>
  );

  return (
    <HeaderPopover titleId={titleId} isOpen={isOpen} onClose={onClose} onLeave={onLeave} bar={bar}>
      <div className={classes.body}>
        <ParamFields
          key={chatKey}
          type={endpointType}
          model={model}
          agentModels={agentModels}
          settings={settings}
          isNewChat={isNewChat}
          onChange={onChange}
        />
        <ChatSwitches endpoint={endpoint} settings={settings} isTemporary={isTemporary} onChange={onChange} />
      </div>
    </HeaderPopover>
  );
}
