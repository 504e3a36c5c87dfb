import type { Assistant } from '@parley/schema/assistants/assistants';
import { useAtomValue } from 'jotai';
import { useTranslation } from 'react-i18next';
import type { Chat } from '../chat/use-chat.ts';
import classes from '../layout/page/page.module.css';
import { SkeletonRows } from '../ui/skeleton/skeleton-rows.tsx';
import { ActionEditor } from './actions/action-editor.tsx';
import builderClasses from './builder/builder.module.css';
import { BuilderFields } from './builder/builder-fields.tsx';
import { editedActionAtom } from './builder/builder-state.ts';
import { useBuilder } from './builder/use-builder.ts';
import { useStartChat } from './use-start-chat.ts';

/** In the side panel: the form of the assistant that answers the chat, or of a new one where none does. */
export function BuilderPanel({ chat: { assistantState } }: { chat: Chat }) {
  const { t } = useTranslation();
  if (assistantState.status === 'loading') return <SkeletonRows count={6} />;
  if (assistantState.status !== 'chosen') return <Fields assistant={null} />;
  const { assistant } = assistantState;
  if (assistant.sharedBy === undefined) return <Fields key={assistant.assistantId} assistant={assistant} />;
  const name = assistant.name || t('com_assistants_unnamed');
  return <p className={classes.note}>{t('com_assistants_shared_by', { 0: name, 1: assistant.sharedBy })}</p>;
}

/** The form, or one of its actions in its place. */
function Fields({ assistant }: { assistant: Assistant | null }) {
  const builder = useBuilder(assistant);
  const edited = useAtomValue(editedActionAtom);
  const startChat = useStartChat();
  if (assistant && edited?.assistantId === assistant.assistantId)
    return <ActionEditor key={edited.actionId} assistant={assistant} actionId={edited.actionId} />;
  return (
    <div className={builderClasses.inPanel}>
      <BuilderFields builder={builder} onCreated={startChat} />
    </div>
  );
}
