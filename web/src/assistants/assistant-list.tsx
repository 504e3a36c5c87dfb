import type { Assistant } from '@parley/schema/assistants/assistants';
import { IconMessagePlus, IconPencil, IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { AssistantAvatar } from '../endpoints/assistants/assistant-avatar.tsx';
import { useAssistants } from '../endpoints/assistants/use-assistants.ts';
import { useCanBuild } from '../endpoints/assistants/use-can-build.ts';
import { Button } from '../ui/button.tsx';
import { buttonClasses } from '../ui/button-classes.ts';
import iconClasses from '../ui/icon-button.module.css';
import { SkeletonRows } from '../ui/skeleton/skeleton-rows.tsx';
import classes from './assistant-list.module.css';
import { NEW_ASSISTANT_PATH, pathOfAssistant } from './assistant-paths.ts';
import { Page } from './page.tsx';
import page from './page.module.css';
import { useStartChat } from './use-start-chat.ts';

/** All assistants of a person, and those that others share. */
export function AssistantList() {
  const { t } = useTranslation();
  const canBuild = useCanBuild();
  return (
    <Page title={t('com_nav_assistants')} actions={canBuild && <NewLink />}>
      <List />
    </Page>
  );
}

function NewLink() {
  const { t } = useTranslation();
  return (
    <Link className={buttonClasses({ variant: 'filled' })} href={NEW_ASSISTANT_PATH}>
      <IconPlus aria-hidden />
      {t('com_assistants_new')}
    </Link>
  );
}

function List() {
  const { t } = useTranslation();
  const { data, isError, refetch } = useAssistants();
  if (!data) {
    if (!isError) return <SkeletonRows count={4} />;
    return (
      <div className={page.notice} role="alert">
        <p className={page.note}>{t('com_assistants_load_failed')}</p>
        <Button onClick={() => void refetch()}>{t('com_ui_retry')}</Button>
      </div>
    );
  }
  if (data.length === 0) return <p className={page.note}>{t('com_assistants_about')}</p>;
  return (
    <ul className={classes.list}>
      {data.map((assistant) => (
        <AssistantRow key={assistant.assistantId} assistant={assistant} />
      ))}
    </ul>
  );
}

function AssistantRow({ assistant }: { assistant: Assistant }) {
  const { t } = useTranslation();
  const startChat = useStartChat();
  const canBuild = useCanBuild();
  const { assistantId, description, sharedBy, isShared } = assistant;
  const name = assistant.name || t('com_assistants_unnamed');
  const about = [
    sharedBy !== undefined && t('com_assistants_by', { 0: sharedBy }),
    isShared && sharedBy === undefined && t('com_assistants_is_shared'),
    description,
  ].filter(Boolean);
  return (
    <li className={classes.row}>
      <button type="button" className={classes.open} onClick={() => startChat(assistant)}>
        <AssistantAvatar assistant={assistant} size="medium" />
        <span className={classes.text}>
          <span className={classes.name} dir="auto">
            {name}
          </span>
          {about.length > 0 && (
            <span className={classes.about} dir="auto">
              {about.join(' · ')}
            </span>
          )}
        </span>
        <IconMessagePlus className={classes.sign} aria-hidden />
      </button>
      {sharedBy === undefined && canBuild && (
        <Link
          className={iconClasses.button}
          href={pathOfAssistant(assistantId)}
          aria-label={t('com_assistants_edit', { 0: name })}
          data-tooltip={t('com_assistants_edit', { 0: name })}
        >
          <IconPencil aria-hidden />
        </Link>
      )}
    </li>
  );
}
