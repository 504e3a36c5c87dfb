import { IconAdjustmentsHorizontal, IconLayoutSidebarRightCollapse } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSetModel } from '../slots/use-set-model.ts';
import { EndpointPicker } from '../endpoints/endpoint-picker.tsx';
import { useAgentModels } from '../endpoints/use-agent-models.ts';
import { ParamFields } from '../params/param-fields.tsx';
import { ResetAll } from '../params/reset-all.tsx';
import { LazyBoundary } from '../ui/lazy/lazy-boundary.tsx';
import { lazyScreen } from '../ui/lazy/lazy-screen.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { PanelFiles } from './panel-files.tsx';
import { FOCUS, focusAfterRender } from './focus-after-render.ts';
import { PanelSection } from './panel-section.tsx';
import { PARAMETERS, useSidePanel } from './panel-state.ts';
import classes from './side-panel.module.css';
import type { SidePanelProps } from './panel-props.ts';

const assistantPicker = lazyScreen(async () => (await import('../assistants/assistant-picker.tsx')).AssistantPicker);
const builder = lazyScreen(async () => (await import('../assistants/builder/builder-section.tsx')).BuilderSection);

/** The open panel: the model at the top, the sections below it. */
export function PanelBody({ chat, onPick }: SidePanelProps) {
  const { t } = useTranslation();
  const { isNarrow, hide } = useSidePanel();
  const isForAssistants = chat.modelTarget?.endpointType === 'assistants';

  function close(): void {
    hide();
    if (!isNarrow) focusAfterRender(FOCUS.hidden);
  }

  return (
    <>
      <div className={classes.top}>
        <div className={classes.model}>
          {isForAssistants ? (
            <LazyBoundary isQuiet>
              <assistantPicker.Screen chat={chat} />
            </LazyBoundary>
          ) : (
            <EndpointPicker modelTarget={chat.modelTarget} onPick={onPick} />
          )}
        </div>
        <IconButton label={t('com_sidepanel_close')} {...{ [FOCUS.open]: '' }} onClick={close}>
          <IconLayoutSidebarRightCollapse aria-hidden />
        </IconButton>
      </div>
      <div className={classes.entries}>
        {isForAssistants && (
          <LazyBoundary isQuiet>
            <builder.Screen chat={chat} />
          </LazyBoundary>
        )}
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
