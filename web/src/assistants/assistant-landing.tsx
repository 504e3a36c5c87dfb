// Tests of this room: tests/unit/web/assistants, tests/e2e/assistants.
import { IconPencil, IconPlus } from '@tabler/icons-react';
import { useStore } from 'jotai';

import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useChatSession } from '../chat/chat-session-context.tsx';
import type { Chat } from '../chat/use-chat.ts';
import { draftKeyOf, useSlotIndex } from '../slots/slot.ts';
import { focusComposer } from '../slots/focus-composer.ts';
import { Button } from '../ui/button.tsx';
import classes from './assistant-landing.module.css';
import { AssistantAvatar } from '../endpoints/assistants/assistant-avatar.tsx';
import { useCanBuild } from '../endpoints/assistants/use-can-build.ts';
import { buttonClasses } from '../ui/button-classes.ts';
import { NEW_ASSISTANT_PATH, pathOfAssistant } from './assistant-paths.ts';
import { useAssistants } from '../endpoints/assistants/use-assistants.ts';

/** What an empty chat with an assistant shows: who it is, and how to begin. */
export function AssistantLanding({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const { refetch } = useAssistants();
  const canBuild = useCanBuild();
  const state = chat.assistantState;
  if (state.status === 'failed') {
    return (
      <div className={classes.landing} role="alert">
        <h1 className={classes.title}>{t('com_assistants_load_failed')}</h1>
        <Button onClick={() => void refetch()}>{t('com_ui_retry')}</Button>
      </div>
    );
  }
  if (state.status === 'missing') return <NoAssistant />;
  if (state.status !== 'chosen') return <div className={classes.landing} />;
  const { assistantId, name, description, metadata, sharedBy } = state.assistant;
  return (
    <div className={classes.landing}>
      <AssistantAvatar assistant={state.assistant} size="large" />
      <h1 className={classes.title} dir="auto" data-testid="landing-title">
        {name || t('com_assistants_unnamed')}
      </h1>
      {sharedBy && <p className="hint">{t('com_assistants_by', { 0: sharedBy })}</p>}
      {description && (
        <p className={classes.description} dir="auto">
          {description}
        </p>
      )}
      {canBuild && sharedBy === undefined && (
        <Link className={buttonClasses({ variant: 'subtle', size: 'sm' })} href={pathOfAssistant(assistantId)}>
          <IconPencil aria-hidden />
          {t('com_assistants_edit_this')}
        </Link>
      )}
      <Starters chat={chat} starters={metadata.conversation_starters ?? []} />
    </div>
  );
}

function NoAssistant() {
  const { t } = useTranslation();
  const canBuild = useCanBuild();
  const { data = [] } = useAssistants();
  return (
    <div className={classes.landing}>
      <AssistantAvatar assistant={null} size="large" />
      <h1 className={classes.title} data-testid="landing-title">
        {data.length === 0 ? t('com_assistants_none') : t('com_assistants_choose')}
      </h1>
      {canBuild && (
        <Link className={buttonClasses({ variant: 'filled' })} href={NEW_ASSISTANT_PATH}>
          <IconPlus aria-hidden />
          {t('com_assistants_new')}
        </Link>
      )}
    </div>
  );
}

function Starters({ chat, starters }: { chat: Chat; starters: readonly string[] }) {
  const index = useSlotIndex();
  const store = useStore();
  const { drafts } = useChatSession();
  if (starters.length === 0) return null;

  function use(text: string): void {
    store.set(drafts.draftAtom(draftKeyOf(chat.slot)), text);
    focusComposer(index);
  }

  return (
    <ul className={classes.starters}>
      {starters.map((text) => (
        <li key={text}>
          <button type="button" className={classes.starter} dir="auto" onClick={() => use(text)}>
            {text}
          </button>
        </li>
      ))}
    </ul>
  );
}
