import type { Assistant } from '@parley/schema/assistants/assistants';
import { IconMessagePlus, IconPencil, IconPlus } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { AssistantAvatar } from '../endpoints/assistants/assistant-avatar.tsx';
import { useAssistants } from '../endpoints/assistants/use-assistants.ts';
import { useCanBuild } from '../endpoints/assistants/use-can-build.ts';
import { Button } from '../ui/button.tsx';
import { buttonClasses } from '../ui/button-classes.ts';
import { SearchField } from '../ui/fields/search-field.tsx';
import iconClasses from '../ui/icon-button.module.css';
import { SkeletonRows } from '../ui/skeleton/skeleton-rows.tsx';
import classes from './assistant-list.module.css';
import { NEW_ASSISTANT_PATH, pathOfAssistant } from './assistant-paths.ts';
import { findAssistants } from './find-assistants.ts';
import { Page } from '../layout/page/page.tsx';
import page from '../layout/page/page.module.css';
import { useStartChat } from './use-start-chat.ts';

/** From so many on, the list has a search. */
const SEARCHED_FROM = 7;

/** All assistants of a person, and those that others share. */
export function AssistantList() {
  const { t } = useTranslation();
  const canBuild = useCanBuild();
  const { data, isError, refetch } = useAssistants();
  return (
    <Page title={t('com_nav_assistants')} actions={canBuild && data?.length !== 0 && <NewLink />}>
      {data?.length === 0 && <NoAssistants canBuild={canBuild} />}
      {data && data.length > 0 && <FoundAssistants assistants={data} />}
      {!data && !isError && <SkeletonRows count={4} />}
      {!data && isError && (
        <div className={page.notice} role="alert">
          <p className={page.note}>{t('com_assistants_load_failed')}</p>
          <Button onClick={() => void refetch()}>{t('com_ui_retry')}</Button>
        </div>
      )}
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

function NoAssistants({ canBuild }: { canBuild: boolean }) {
  const { t } = useTranslation();
  return (
    <div className={classes.empty}>
      <AssistantAvatar assistant={null} size="large" />
      <p className={page.note}>{t('com_assistants_about')}</p>
      {canBuild && <NewLink />}
    </div>
  );
}

function FoundAssistants({ assistants }: { assistants: readonly Assistant[] }) {
  const { t } = useTranslation();
  const [query, setQuery] = useState('');
  const { own, shared } = findAssistants(assistants, query);
  // One kind alone needs no heading.
  const hasBoth = own.length > 0 && shared.length > 0;
  return (
    <>
      {assistants.length >= SEARCHED_FROM && (
        <SearchField
          placeholder={t('com_assistants_search')}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
      )}
      {own.length > 0 && <Rows title={hasBoth ? t('com_assistants_own') : null} assistants={own} />}
      {shared.length > 0 && <Rows title={hasBoth ? t('com_assistants_of_others') : null} assistants={shared} />}
      {own.length + shared.length === 0 && (
        <p className={page.note} role="status">
          {t('com_assistants_nothing_found')}
        </p>
      )}
    </>
  );
}

function Rows({ title, assistants }: { title: string | null; assistants: readonly Assistant[] }) {
  const id = useId();
  const list = (
    <ul className={classes.list}>
      {assistants.map((assistant) => (
        <AssistantRow key={assistant.assistantId} assistant={assistant} />
      ))}
    </ul>
  );
  if (title === null) return list;
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={classes.heading}>
        {title}
      </h2>
      {list}
    </section>
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
