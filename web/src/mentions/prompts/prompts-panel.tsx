import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { Chat } from '../../chat/use-chat.ts';
import { describeError } from '../../errors/describe-error.ts';
import { PROMPTS_PATH } from '../../prompts/prompt-paths.ts';
import { findPrompts } from '../../prompts/find-prompts.ts';
import { usePrompts } from '../../prompts/use-prompts.ts';
import classes from '../../side-panel/panel-list.module.css';
import { buttonClasses } from '../../ui/button-classes.ts';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import { useChoosePrompt } from './use-choose-prompt.ts';

interface PromptsPanelProps {
  chat: Chat;
  /** A prompt is about to be inserted. */
  onChoose: () => void;
}

/** The prompts in the side panel: a press inserts one into the message box. */
export function PromptsPanel({ chat, onChoose }: PromptsPanelProps) {
  const { t } = useTranslation();
  const { data: prompts, error } = usePrompts();
  const choose = useChoosePrompt(chat);
  const [query, setQuery] = useState('');
  const found = findPrompts(prompts ?? [], query);
  if (error) return <p className={classes.empty}>{describeError(error, t)}</p>;
  if (!prompts) return <SkeletonRows count={4} />;
  return (
    <>
      {prompts.length > 0 && (
        <SearchField
          type="search"
          placeholder={t('com_prompts_search')}
          value={query}
          onChange={({ currentTarget }) => setQuery(currentTarget.value)}
        />
      )}
      {found.length === 0 ? (
        <p className={classes.empty}>{t(prompts.length === 0 ? 'com_prompts_none' : 'com_ui_nothing_found')}</p>
      ) : (
        <ul className={classes.list}>
          {found.map((prompt) => (
            <li key={`${prompt.ownerId} ${prompt.id}`}>
              <button type="button" className={classes.row} onClick={() => choose(prompt, onChoose)}>
                <span className={classes.details}>
                  <span className={classes.name}>
                    <bdi>{prompt.title}</bdi>
                  </span>
                  <span className={classes.size}>
                    <bdi dir="ltr">/{prompt.command}</bdi>
                    {prompt.ownerName !== null && ` · ${t('com_prompts_of', { 0: prompt.ownerName })}`}
                  </span>
                </span>
                <IconPlus role="img" aria-label={t('com_prompts_insert')} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <Link className={buttonClasses({ size: 'sm' })} href={PROMPTS_PATH}>
        {t('com_prompts_manage')}
      </Link>
    </>
  );
}
