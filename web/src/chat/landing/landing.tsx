import { useAtomValue, useStore } from 'jotai';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EndpointIcon } from '../../endpoints/endpoint-icons.tsx';
import { useStartup } from '../../startup.ts';
import { focusComposer } from '../../slots/focus-composer.ts';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { lazyScreen } from '../../ui/lazy/lazy-screen.tsx';
import classes from './landing.module.css';
import { useChatSession } from '../chat-session-context.tsx';
import { firstName, greetingAt } from './greeting.ts';
import { session } from '../../session/current-session.ts';
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
  const name = firstName(useAtomValue(session.state).user?.name);
  const [hour] = useState(() => new Date().getHours());
  const greeting = t(greetingAt(hour));
  return (
    <div className={classes.landing}>
      <div className={classes.icon}>{modelTarget && <EndpointIcon {...modelTarget} size="large" />}</div>
      <h1 className={classes.title} data-testid="landing-title">
        <span>{name ? t('com_landing_greeting', { 0: greeting, 1: name }) : greeting}</span>
        {later && isBirthday && <later.BirthdayCake />}
      </h1>
      {/* Here it moves the greeting alone when it comes, and not what one can press. */}
      {later && modelTarget && <later.DemoNote modelTarget={modelTarget} />}
    </div>
  );
}

/** Below the message box of an empty chat; above it on a phone. An assistant says all of it above. */
export function LandingEnd({ chat: { modelTarget, assistantState } }: { chat: Chat }) {
  const { t } = useTranslation();
  const later = useLaterParts();
  if (assistantState.status !== 'unneeded') return <div className={classes.end} />;
  return (
    <div className={classes.end}>
      <ul className={classes.examples} aria-label={t('com_ui_examples')}>
        <Example text={t('com_landing_example_quantum')} />
        <Example text={t('com_landing_example_birthday')} />
        <Example text={t('com_landing_example_http')} />
      </ul>
      {later ? <later.AboutModel modelTarget={modelTarget} /> : <div className={classes.about} />}
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
