import type { PromptHead } from '@parley/schema/prompts/prompt-rules';
import { IconCopyPlus, IconStar, IconStarFilled } from '@tabler/icons-react';
import { useAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { trpc } from '../trpc.ts';
import { SearchField } from '../ui/fields/search-field.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { useShowError } from '../ui/toast/use-show-error.ts';
import { findPrompts } from './find-prompts.ts';
import { draftOf, promptDraftsAtom, type PromptDrafts } from './prompt-drafts.ts';
import { promptPath } from './prompt-paths.ts';
import { useChangePrompts } from './use-prompts.ts';
import classes from './prompts.module.css';

interface PromptListProps {
  prompts: readonly PromptHead[];
  /** The id of the one that is open. */
  open: string | undefined;
  query: string;
  onQuery: (query: string) => void;
}

/** More than so many are searched. */
const SEARCH_ABOVE = 7;

export function PromptList({ prompts, open, query, onQuery }: PromptListProps) {
  const { t } = useTranslation();
  const [drafts, setDraft] = useAtom(promptDraftsAtom);
  const { prompts: utils } = trpc.useUtils();
  const showError = useShowError();
  const found = findPrompts(prompts, query);
  const isOwn = (id: string) => prompts.some((prompt) => prompt.id === id && prompt.ownerName === null);
  const unsaved = query.trim() === '' ? Object.entries(drafts).filter(([id]) => !isOwn(id)) : [];

  /** One of another becomes a new prompt of the person. */
  async function copy({ ownerId, id }: PromptHead): Promise<void> {
    const draft = draftOf(await utils.read.fetch({ ownerId, id }, { staleTime: 0 }));
    setDraft(draft.id, draft);
    navigate(promptPath(draft.id));
  }

  return (
    <nav aria-label={t('com_prompts')}>
      {prompts.length > SEARCH_ABOVE && (
        <SearchField
          type="search"
          placeholder={t('com_prompts_search')}
          value={query}
          onChange={(event) => onQuery(event.currentTarget.value)}
        />
      )}
      {prompts.length === 0 && unsaved.length === 0 && <p className={classes.note}>{t('com_prompts_none')}</p>}
      {prompts.length > 0 && found.length === 0 && <p className={classes.note}>{t('com_ui_nothing_found')}</p>}
      <ul className={classes.list}>
        {unsaved.map(([id, { title }]) => (
          <li key={id} className={classes.row}>
            <Names
              href={promptPath(id)}
              isOpen={id === open}
              title={title || t('com_prompts_new')}
              hint={t('com_prompts_unsaved')}
            />
          </li>
        ))}
        {found.map((prompt) => (
          <PromptRow
            key={`${prompt.ownerId} ${prompt.id}`}
            prompt={prompt}
            drafts={drafts}
            isOpen={prompt.id === open}
            onCopy={() => void copy(prompt).catch(showError)}
          />
        ))}
      </ul>
    </nav>
  );
}

interface PromptRowProps {
  prompt: PromptHead;
  drafts: PromptDrafts;
  isOpen: boolean;
  onCopy: () => void;
}

/** A prompt of the list. One of another is kept as a copy instead of being opened. */
function PromptRow({ prompt, drafts, isOpen, onCopy }: PromptRowProps) {
  const { t } = useTranslation();
  const { mark } = useChangePrompts();
  const { ownerId, id, title, command, ownerName, isFavorite, isShared } = prompt;
  const isOwn = ownerName === null;
  const hint = [
    !isOwn && t('com_prompts_of', { 0: ownerName }),
    isOwn && isShared && t('com_prompts_shared'),
    isOwn && drafts[id] && t('com_prompts_unsaved'),
  ];
  return (
    <li className={classes.row}>
      <Names
        href={isOwn ? promptPath(id) : null}
        isOpen={isOpen && isOwn}
        title={title}
        command={command}
        hint={hint.filter(Boolean).join(' · ')}
      />
      <IconButton
        label={t('com_prompts_favourite', { 0: title })}
        aria-pressed={isFavorite}
        onClick={() => mark({ ownerId, id, isFavorite: !isFavorite })}
      >
        {isFavorite ? <IconStarFilled aria-hidden /> : <IconStar aria-hidden />}
      </IconButton>
      {!isOwn && (
        <IconButton label={t('com_prompts_copy', { 0: title })} onClick={onCopy}>
          <IconCopyPlus aria-hidden />
        </IconButton>
      )}
    </li>
  );
}

interface NamesProps {
  /** Null for one that cannot be changed. */
  href: string | null;
  isOpen: boolean;
  title: string;
  command?: string;
  hint: string;
}

function Names({ href, isOpen, title, command, hint }: NamesProps) {
  const names = (
    <>
      <bdi className={classes.name}>{title}</bdi>
      <span className={classes.hint}>
        {command && <bdi dir="ltr">/{command}</bdi>}
        {command && hint && ' · '}
        {hint}
      </span>
    </>
  );
  if (href === null) return <span className={classes.names}>{names}</span>;
  return (
    <Link className={classes.names} href={href} aria-current={isOpen ? 'page' : undefined}>
      {names}
    </Link>
  );
}
