import { IconBrain, IconAt, IconReportSearch } from '@tabler/icons-react';
import { useAtomValue, useAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import { usePictureModel } from '../../../endpoints/pictures/use-picture-models.ts';
import { pictureBar } from '../../../files/lazy-viewers.ts';
import { effortName } from '../../../params/effort.ts';
import { useEffort } from '../../toggles/use-effort.ts';
import { useFolded } from '../../toggles/use-folded.ts';
import { useWebSearch, WEB_SEARCH } from '../../toggles/use-web-search.ts';
import { useActiveTools } from '../../tools/active-tools.ts';
import { comparePickAtom } from '../../../slots/compare-pick.ts';
import { draftKeyOf } from '../../../slots/slot.ts';
import { LazyBoundary } from '../../../ui/lazy/lazy-boundary.tsx';
import { columnChips } from '../../columns/lazy-compare.ts';
import { plannedAtom } from '../../columns/planned.ts';
import type { Chat } from '../../use-chat.ts';
import { ComposerChip } from './composer-chip.tsx';
import classes from './composer-chips.module.css';
import { mentionsAtom } from '../../drafts/mention.ts';
import { researchAtom } from '../../drafts/research.ts';

/**
 * What is on for the question being written, beside its files: who answers it alone, and the tools. What has a toggle
 * beside the box has a chip only where there is no room for the toggle.
 */
export function ComposerChips({ chat }: { chat: Chat }) {
  const { t, i18n } = useTranslation();
  const isFolded = useFolded();
  const effort = useEffort(chat);
  const hasWebToggle = useWebSearch(chat) !== null && !isFolded;
  const tools = useActiveTools(chat).filter(({ id }) => !(hasWebToggle && id === WEB_SEARCH));
  const level = isFolded && effort?.isChanged ? effortName(effort.chosen, t, i18n.language) : null;
  return (
    <>
      <Columns chat={chat} />
      <Pictures chat={chat} />
      <ul className={classes.chips} aria-label={t('com_composer_on')}>
        <MentionChip chat={chat} />
        <ResearchChip chat={chat} />
        {level !== null && (
          <ComposerChip
            icon={IconBrain}
            label={t('com_composer_effort_is', { 0: level })}
            removal={t('com_composer_effort_reset')}
            onRemove={() => effort?.choose(undefined)}
          />
        )}
        {tools.map(({ id, label, icon, count, switchOff }) =>
          label === null ? (
            <ComposerChip key={id} icon={icon} />
          ) : (
            <ComposerChip
              key={id}
              icon={icon}
              label={count === null ? label : t('com_composer_tools_of', { 0: label, count })}
              removal={t('com_composer_switch_off', { 0: label })}
              onRemove={switchOff}
            />
          ),
        )}
      </ul>
    </>
  );
}

/** What the pictures will be, where the model makes some. */
function Pictures({ chat }: { chat: Chat }) {
  if (!usePictureModel(chat.modelTarget)) return null;
  return (
    <LazyBoundary isQuiet>
      <pictureBar.Screen key={chat.slot.conversationId} chat={chat} />
    </LazyBoundary>
  );
}

/** Whom the question goes to beside the chat's model. */
function Columns({ chat }: { chat: Chat }) {
  const isPicking = useAtomValue(comparePickAtom);
  const isPlanned = draftKeyOf(chat.slot) in useAtomValue(plannedAtom);
  if (!isPicking && !isPlanned && !chat.convo?.columns) return null;
  return (
    <LazyBoundary>
      <columnChips.Screen chat={chat} />
    </LazyBoundary>
  );
}

/** Who answers this question alone. */
function MentionChip({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const [mentions, setMention] = useAtom(mentionsAtom);
  const draft = draftKeyOf(chat.slot);
  const mention = mentions[draft];
  if (!mention) return null;
  return (
    <ComposerChip
      icon={IconAt}
      label={mention.name}
      about={t('com_composer_mention', { 0: mention.name })}
      removal={t('com_composer_mention_remove', { 0: mention.name })}
      onRemove={() => setMention(draft, null)}
    />
  );
}

function ResearchChip({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const [chosen, choose] = useAtom(researchAtom);
  const draft = draftKeyOf(chat.slot);
  if (!chosen.includes(draft)) return null;
  return (
    <ComposerChip
      icon={IconReportSearch}
      label={t('com_research')}
      about={t('com_research_about')}
      removal={t('com_composer_switch_off', { 0: t('com_research') })}
      onRemove={() => choose(draft, false)}
    />
  );
}
