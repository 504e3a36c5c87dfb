import { IconAdjustmentsHorizontal, IconLayoutSidebarRightCollapse } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSetModel } from '../slots/use-set-model.ts';
import { EndpointPicker } from '../endpoints/endpoint-picker.tsx';
import { useAgentModels } from '../endpoints/use-agent-models.ts';
import { ParamFields } from '../params/param-fields.tsx';
import { ResetAll } from '../params/reset-all.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { PanelFiles } from './panel-files.tsx';
import { FOCUS, focusAfterRender } from './focus-after-render.ts';
import { PanelSection } from './panel-section.tsx';
import { PARAMETERS, useSidePanel } from './panel-state.ts';
import classes from './side-panel.module.css';
import type { SidePanelProps } from './panel-props.ts';

/** The open panel: the model at the top, the sections below it. */
export function PanelBody({ chat, onPick }: SidePanelProps) {
  const { t } = useTranslation();
  const { isNarrow, hide } = useSidePanel();

  function close(): void {
    hide();
    if (!isNarrow) focusAfterRender(FOCUS.hidden);
  }

  return (
    <>
      <div className={classes.top}>
        <div className={classes.model}>
          <EndpointPicker modelTarget={chat.modelTarget} assistantState={chat.assistantState} onPick={onPick} />
        </div>
        <IconButton label={t('com_sidepanel_close')} {...{ [FOCUS.open]: '' }} onClick={close}>
          <IconLayoutSidebarRightCollapse aria-hidden />
        </IconButton>
      </div>
      <div className={classes.entries}>
        <Parameters chat={chat} />
        <PanelFiles chat={chat} />
      </div>
    </>
  );
}

function Parameters({ chat: { modelTarget, slot } }: Pick<SidePanelProps, 'chat'>) {
  const { t } = useTranslation();
  const choose = useSetModel();
  const agentModels = useAgentModels(modelTarget?.endpoint ?? '');
  if (!modelTarget) return null;
  const { endpoint, endpointType, model, settings } = modelTarget;
  const change = (next: typeof settings) => choose({ endpoint, model, settings: next });
  return (
    <PanelSection name={PARAMETERS} label={t('com_params')} icon={<IconAdjustmentsHorizontal aria-hidden />}>
      <ParamFields
        key={`${slot.conversationId} ${endpoint}`}
        type={endpointType}
        model={model}
        agentModels={agentModels}
        settings={settings}
        isNewChat={slot.isNewChat}
        onChange={change}
      />
      <ResetAll settings={settings} onChange={change} />
    </PanelSection>
  );
}
