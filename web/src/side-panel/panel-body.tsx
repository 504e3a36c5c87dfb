import { IconLayoutSidebarRightCollapse } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSetModel } from '../slots/use-set-model.ts';
import { EndpointPicker } from '../endpoints/endpoint-picker.tsx';
import { useAgentModels } from '../endpoints/use-agent-models.ts';
import { isTemporary } from '../chat/is-temporary.ts';
import { ParamFields } from '../params/param-fields.tsx';
import { ChatSwitches } from '../params/chat-switches.tsx';
import { ResetAll } from '../params/reset-all.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { LazyBoundary } from '../ui/lazy/lazy-boundary.tsx';
import { SkeletonRows } from '../ui/skeleton/skeleton-rows.tsx';
import { PanelFiles } from './panel-files.tsx';
import { FOCUS, focusAfterRender } from './focus-after-render.ts';
import { builderPanel, promptsPanel } from './lazy-panels.ts';
import { useActiveEntry, type EntryName } from './panel-entries.ts';
import { PanelSection } from './panel-section.tsx';
import { useSidePanel } from './panel-state.ts';
import classes from './side-panel.module.css';
import type { SidePanelProps } from './panel-props.ts';

/** The open panel: the model at the top, below it what was opened; in a drawer, which has no strip, all that can be. */
export function PanelBody({ chat, onPick }: SidePanelProps) {
  const { t } = useTranslation();
  const { isNarrow, isHidden, collapse } = useSidePanel();
  const { entries, active } = useActiveEntry(chat);

  function close(): void {
    collapse();
    if (!isNarrow) focusAfterRender(isHidden ? FOCUS.hidden : FOCUS.shut);
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
        {isNarrow ? (
          entries.map(({ name, label, Icon }) => (
            <PanelSection
              key={name}
              name={name}
              label={t(label)}
              icon={<Icon aria-hidden />}
              isUnfolded={name === active.name}
            >
              <PanelContent name={name} chat={chat} />
            </PanelSection>
          ))
        ) : (
          <section className={classes.content} aria-label={t(active.label)}>
            <h2 className={classes.heading}>{t(active.label)}</h2>
            <PanelContent name={active.name} chat={chat} />
          </section>
        )}
      </div>
    </>
  );
}

function PanelContent({ name, chat }: Pick<SidePanelProps, 'chat'> & { name: EntryName }) {
  const { isNarrow, collapse } = useSidePanel();
  switch (name) {
    case 'parameters':
      return <Parameters chat={chat} />;
    case 'files':
      return <PanelFiles chat={chat} />;
    case 'prompts':
      return (
        <LazyBoundary fallback={<SkeletonRows count={4} />}>
          {/* A drawer covers the message box. */}
          <promptsPanel.Screen chat={chat} onChoose={() => isNarrow && collapse()} />
        </LazyBoundary>
      );
    case 'assistants':
      return (
        <LazyBoundary fallback={<SkeletonRows count={6} />}>
          <builderPanel.Screen chat={chat} />
        </LazyBoundary>
      );
    default:
      return name satisfies never;
  }
}

function Parameters({ chat }: Pick<SidePanelProps, 'chat'>) {
  const { modelTarget, slot } = chat;
  const choose = useSetModel();
  const agentModels = useAgentModels(modelTarget?.endpoint ?? '');
  if (!modelTarget) return null;
  const { endpoint, endpointType, model, settings } = modelTarget;
  const change = (next: typeof settings) => choose({ endpoint, model, settings: next });
  return (
    <>
      <ParamFields
        key={`${slot.conversationId} ${endpoint}`}
        type={endpointType}
        model={model}
        agentModels={agentModels}
        settings={settings}
        isNewChat={slot.isNewChat}
        onChange={change}
      />
      <ChatSwitches endpoint={endpoint} settings={settings} isTemporary={isTemporary(chat)} onChange={change} />
      <ResetAll settings={settings} onChange={change} />
    </>
  );
}
