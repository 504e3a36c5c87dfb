import { useStore } from 'jotai';
import { useTranslation } from 'react-i18next';
import { EndpointIcon } from '../../endpoints/endpoint-icons.tsx';
import { useStartup } from '../../startup.ts';
import { focusComposer } from '../../slots/focus-composer.ts';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { lazyScreen } from '../../ui/lazy/lazy-screen.tsx';
import classes from './landing.module.css';
import { useChatSession } from '../chat-session-context.tsx';
import { DemoNote } from './demo-note.tsx';
import { draftKeyOf, useSlot, useSlotIndex } from '../../slots/slot.ts';
import type { Chat } from '../use-chat.ts';
import { useLaterParts } from '../use-later-parts.ts';

const ofAssistant = lazyScreen(async () => (await import('../../assistants/assistant-landing.tsx')).AssistantLanding);

/** What an empty chat shows. */
export function Landing({ chat }: { chat: Chat }) {
  if (chat.assistantState.status === 'unneeded') return <Welcome chat={chat} />;
  return (
    <LazyBoundary fallback={<div className={classes.landing} />}>
      <ofAssistant.Screen chat={chat} />
    </LazyBoundary>
  );
}

function Welcome({ chat: { modelTarget } }: { chat: Chat }) {
  const { t } = useTranslation();
  const later = useLaterParts();
  const isBirthday = useStartup()?.showBirthdayIcon ?? false;
  return (
    <div className={classes.landing}>
      <div className={classes.welcome}>
        <div className={classes.icon}>{modelTarget && <EndpointIcon {...modelTarget} size="large" />}</div>
        <h1 className={classes.title} data-testid="landing-title">
          {t('com_nav_welcome_message')}
          {later && isBirthday && <later.BirthdayCake />}
        </h1>
        {modelTarget && <DemoNote modelTarget={modelTarget} />}
        <ul className={classes.examples} aria-label={t('com_ui_examples')}>
          <Example text={t('com_ui_example_quantum_computing')} />
          <Example text={t('com_ui_example_10_year_old_b_day')} />
          <Example text={t('com_ui_example_http_in_js')} />
        </ul>
        {later ? <later.AboutModel modelTarget={modelTarget} /> : <div className={classes.about} />}
      </div>
    </div>
  );
}

function Example({ text }: { text: string }) {
  const { t } = useTranslation();
  const index = useSlotIndex();
  const { drafts } = useChatSession();
  const store = useStore();
  const draft = drafts.draftAtom(draftKeyOf(useSlot()));

  function use(): void {
    store.set(draft, text);
    focusComposer(index);
  }

  return (
    <li>
      <button
        type="button"
        className={classes.example}
        aria-label={t('com_chat_use_example', { 0: text })}
        onClick={use}
      >
        {text}
      </button>
    </li>
  );
}
