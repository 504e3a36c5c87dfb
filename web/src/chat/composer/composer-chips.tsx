import { useTranslation } from 'react-i18next';
import { useActiveTools } from '../tools/active-tools.ts';
import type { Chat } from '../use-chat.ts';
import { ComposerChip } from './composer-chip.tsx';
import classes from './composer-chips.module.css';
import { MentionChip } from './mention-chip.tsx';

/** What is on for the question being written, beside its files: who answers it alone, and the tools. */
export function ComposerChips({ chat }: { chat: Chat }) {
  const { t } = useTranslation();
  const tools = useActiveTools(chat);
  return (
    <ul className={classes.chips} aria-label={t('com_composer_on')}>
      <MentionChip chat={chat} />
      {tools.map(({ id, label, icon, count, switchOff }) => (
        <ComposerChip
          key={id}
          icon={icon}
          label={count === null ? label : t('com_composer_tools_of', { 0: label, count })}
          removal={t('com_composer_switch_off', { 0: label })}
          onRemove={switchOff}
        />
      ))}
    </ul>
  );
}
