import { IconAt } from '@tabler/icons-react';
import { useAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import { draftKeyOf } from '../../../slots/slot.ts';
import { mentionsAtom } from '../../drafts/mention.ts';
import type { Chat } from '../../use-chat.ts';
import { ComposerChip } from './composer-chip.tsx';

/** Who answers this question alone. */
export function MentionChip({ chat }: { chat: Chat }) {
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
