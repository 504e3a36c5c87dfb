import type { Assistant } from '@parley/schema/assistants/assistants';
import { IconMessagePlus } from '@tabler/icons-react';
import { useAtomValue } from 'jotai';
import { useTranslation } from 'react-i18next';
import { restoreAssistant, useAssistants } from '../endpoints/assistants/use-assistants.ts';
import { useCanBuild } from '../endpoints/assistants/use-can-build.ts';
import { trpc } from '../trpc.ts';
import { Button } from '../ui/button.tsx';
import { SkeletonRows } from '../ui/skeleton/skeleton-rows.tsx';
import { ActionEditor } from './actions/action-editor.tsx';
import { BuilderFields } from './builder/builder-fields.tsx';
import { editedActionAtom } from './builder/builder-state.ts';
import { Preview } from './builder/preview.tsx';
import { useBuilder } from './builder/use-builder.ts';
import { ALL_ASSISTANTS } from './assistant-paths.ts';
import { Page } from '../layout/page/page.tsx';
import classes from '../layout/page/page.module.css';
import { useStartChat } from './use-start-chat.ts';

/** The page of one assistant, where its owner changes it. */
export function AssistantPage({ assistantId }: { assistantId: string }) {
  const { t } = useTranslation();
  const { data, isError, refetch } = useAssistants();
  const canBuild = useCanBuild();
  const assistant = data?.find((one) => one.assistantId === assistantId);
  if (!data) {
    return (
      <Page title={t('com_nav_assistants')} back={ALL_ASSISTANTS}>
        {isError ? <Failure onRetry={() => void refetch()} /> : <SkeletonRows count={6} />}
      </Page>
    );
  }
  if (!assistant) return <MissingAssistant assistantId={assistantId} />;
  if (assistant.sharedBy !== undefined || !canBuild) return <ForeignAssistant assistant={assistant} />;
  return <OwnAssistant assistant={assistant} />;
}

/** The form, or one of its actions in its place. */
function OwnAssistant({ assistant }: { assistant: Assistant }) {
  const { t } = useTranslation();
  const builder = useBuilder(assistant);
  const edited = useAtomValue(editedActionAtom);
  const isEditingAction = edited?.assistantId === assistant.assistantId;
  return (
    <Page
      title={assistant.name || t('com_assistants_unnamed')}
      back={ALL_ASSISTANTS}
      actions={!isEditingAction && <ChatButton assistant={assistant} />}
      aside={!isEditingAction && <Preview builder={builder} />}
    >
      {isEditingAction ? (
        <ActionEditor key={edited.actionId} assistant={assistant} actionId={edited.actionId} />
      ) : (
        <BuilderFields builder={builder} />
      )}
    </Page>
  );
}

/** What a person sees of an assistant that they cannot change. */
function ForeignAssistant({ assistant }: { assistant: Assistant }) {
  const { t } = useTranslation();
  const name = assistant.name || t('com_assistants_unnamed');
  const { sharedBy, description } = assistant;
  return (
    <Page title={name} back={ALL_ASSISTANTS} actions={<ChatButton assistant={assistant} />}>
      {description && (
        <p className={classes.note} dir="auto">
          {description}
        </p>
      )}
      <p className={classes.note}>
        {sharedBy === undefined ? t('com_assistants_closed') : t('com_assistants_shared_by', { 0: name, 1: sharedBy })}
      </p>
    </Page>
  );
}

function ChatButton({ assistant }: { assistant: Assistant }) {
  const { t } = useTranslation();
  const startChat = useStartChat();
  return (
    <Button onClick={() => startChat(assistant)}>
      <IconMessagePlus aria-hidden />
      {t('com_assistants_start')}
    </Button>
  );
}

/** One that is gone, or was deleted and can be brought back. */
function MissingAssistant({ assistantId }: { assistantId: string }) {
  const { t } = useTranslation();
  const { data, isLoading } = trpc.assistants.status.useQuery({ assistantId });
  const deleted = data?.status === 'deleted' ? data : null;

  return (
    <Page title={deleted?.name || t('com_nav_assistants')} back={ALL_ASSISTANTS}>
      {isLoading ? (
        <SkeletonRows count={2} />
      ) : (
        <div className={classes.notice}>
          <p className={classes.note} role="status">
            {deleted ? t('com_assistants_was_deleted') : t('com_assistants_not_found')}
          </p>
          {deleted && (
            <Button variant="filled" onClick={() => void restoreAssistant(deleted.deletionId)}>
              {t('com_assistants_restore')}
            </Button>
          )}
        </div>
      )}
    </Page>
  );
}

function Failure({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.notice} role="alert">
      <p className={classes.note}>{t('com_assistants_load_failed')}</p>
      <Button onClick={onRetry}>{t('com_ui_retry')}</Button>
    </div>
  );
}
