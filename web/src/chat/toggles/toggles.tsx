import { IconBrain, IconWorldSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { effortName } from '../../params/effort.ts';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { effortMenu } from '../lazy-panels.ts';
import type { Chat } from '../use-chat.ts';
import { ToggleButton } from './toggle-button.tsx';
import { useEffort, type ChatEffort } from './use-effort.ts';
import { useFolded } from './use-folded.ts';
import { useWebSearch } from './use-web-search.ts';

/** How much the model thinks and whether it searches the web, where it can, beside the button that adds things. */
export function Toggles({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const effort = useEffort(chat);
  const web = useWebSearch(chat);
  if (useFolded()) return null;
  return (
    <>
      {effort && <EffortButton effort={effort} />}
      {web && (
        <ToggleButton
          icon={IconWorldSearch}
          label={t('com_composer_web_short')}
          isOn={web.isOn}
          aria-label={t('com_composer_web')}
          aria-pressed={web.isOn}
          data-testid="web-toggle"
          data-tooltip={t('com_composer_web')}
          onClick={web.toggle}
        />
      )}
    </>
  );
}

function EffortButton({ effort }: { effort: ChatEffort }) {
  const { t, i18n } = useTranslation();
  const [isWanted, setWanted] = useState(false);
  const level = effortName(effort.chosen, t, i18n.language);
  const button = {
    icon: IconBrain,
    label: effort.isChanged ? t('com_composer_effort_is', { 0: level }) : t('com_composer_effort'),
    isOn: effort.isChanged,
    'aria-haspopup': 'menu',
    'data-testid': 'effort-button',
    'data-tooltip': t('com_composer_effort_about'),
  } as const;
  if (isWanted) {
    return (
      <LazyBoundary onFailure={() => setWanted(false)}>
        <effortMenu.Screen effort={effort} buttonProps={button} />
      </LazyBoundary>
    );
  }
  return (
    <ToggleButton
      {...button}
      aria-expanded={false}
      onPointerEnter={effortMenu.preload}
      onFocus={effortMenu.preload}
      onClick={() => setWanted(true)}
    />
  );
}
