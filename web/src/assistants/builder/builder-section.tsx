import '../../locales/load/assistants.ts';
import '../../locales/load/files.ts';
import { IconRobot } from '@tabler/icons-react';
import { useAtomValue } from 'jotai';
import { useTranslation } from 'react-i18next';
import type { Chat } from '../../chat/use-chat.ts';
import { PanelSection } from '../../side-panel/panel-section.tsx';
import { ASSISTANTS } from '../../side-panel/panel-state.ts';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import { ActionEditor } from '../actions/action-editor.tsx';
import { useHasBuilder } from '../../side-panel/use-has-builder.ts';
import { BuilderFields } from './builder-fields.tsx';
import { editedActionAtom } from './builder-state.ts';
import { useBuilder } from './use-builder.ts';

/** The section of the side panel that builds assistants; absent where the operator has closed it. */
export function BuilderSection({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  if (!useHasBuilder(chat)) return null;
  return (
    <PanelSection name={ASSISTANTS} label={t('com_assistants_builder')} icon={<IconRobot aria-hidden />}>
      {chat.assistantState.status === 'loading' ? <SkeletonRows count={5} /> : <Panel chat={chat} />}
    </PanelSection>
  );
}

/** The assistant, or one of its actions in its place. */
function Panel({ chat }: { chat: Chat }) {
  const builder = useBuilder(chat);
  const edited = useAtomValue(editedActionAtom);
  const { saved } = builder;
  return saved && edited?.assistantId === saved.assistantId ? (
    <ActionEditor key={edited.actionId} assistant={saved} actionId={edited.actionId} />
  ) : (
    <BuilderFields key={saved?.assistantId} builder={builder} />
  );
}
