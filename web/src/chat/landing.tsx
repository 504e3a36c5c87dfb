import { IconAlertTriangle, IconBolt, IconBulb } from '@tabler/icons-react';
import { useStore } from 'jotai';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EndpointIcon } from '../endpoints/endpoint-icons.tsx';
import { useStartup } from '../startup.ts';
import { focusComposer } from '../slots/focus-composer.ts';
import { LazyBoundary } from '../ui/lazy/lazy-boundary.tsx';
import { lazyScreen } from '../ui/lazy/lazy-screen.tsx';
import classes from './landing.module.css';
import { useChatSession } from './chat-session-context.tsx';
import { draftKeyOf, useSlot, useSlotIndex } from '../slots/slot.ts';
import type { Chat } from './use-chat.ts';

const ofAssistant = lazyScreen(async () => (await import('../assistants/assistant-landing.tsx')).AssistantLanding);

const cake = lazyScreen(async () => (await import('./birthday-cake.tsx')).BirthdayCake);

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
  const isBirthday = useStartup()?.showBirthdayIcon ?? false;
  return (
    <div className={classes.landing}>
      <div className={classes.welcome}>
        <div className={classes.icon}>{modelTarget && <EndpointIcon {...modelTarget} size="large" />}</div>
        <h1 className={classes.title} data-testid="landing-title">
          {t('com_nav_welcome_message')}
          {isBirthday && (
            <LazyBoundary isQuiet>
              <cake.Screen />
            </LazyBoundary>
          )}
        </h1>
        <div className={classes.cards}>
          <Card icon={<IconBulb aria-hidden />} title={t('com_ui_examples')}>
            <Example text={t('com_ui_example_quantum_computing')} />
            <Example text={t('com_ui_example_10_year_old_b_day')} />
            <Example text={t('com_ui_example_http_in_js')} />
          </Card>
          <Card icon={<IconBolt aria-hidden />} title={t('com_ui_capabilities')}>
            <li>{t('com_ui_capability_remember')}</li>
            <li>{t('com_ui_capability_correction')}</li>
            <li>{t('com_ui_capability_decline_requests')}</li>
          </Card>
          <Card icon={<IconAlertTriangle aria-hidden />} title={t('com_ui_limitations')}>
            <li>{t('com_ui_limitation_incorrect_info')}</li>
            <li>{t('com_ui_limitation_harmful_biased')}</li>
            <li>{t('com_ui_limitation_limited_2021')}</li>
          </Card>
        </div>
      </div>
    </div>
  );
}

function Card({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <section className={classes.card}>
      <h2 className={classes.heading}>
        {icon}
        {title}
      </h2>
      <ul className={classes.list}>{children}</ul>
    </section>
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
      <button type="button" className={classes.example} title={t('com_chat_use_example', { 0: text })} onClick={use}>
        {text}
      </button>
    </li>
  );
}
