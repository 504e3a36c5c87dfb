import type { PromptHead } from '@parley/schema/prompts/prompt-rules';
import { useAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../errors/describe-error.ts';
import { usePrompts } from '../../prompts/use-prompts.ts';
import { trpc } from '../../trpc.ts';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import { Findable } from '../search/findable.tsx';
import { draftOf, promptDraftAtom } from './prompt-draft.ts';
import { PromptEditor } from './prompt-editor.tsx';
import { PromptList } from './prompt-list.tsx';
import classes from './prompts.module.css';
import { useShowError } from '../../ui/toast/use-show-error.ts';

/** The person's prompts and those that others share, or the one that is being written. */
export function PromptsSettings() {
  const { t } = useTranslation();
  const showError = useShowError();
  const { data: prompts, error } = usePrompts();
  const [draft, setDraft] = useAtom(promptDraftAtom);
  const { prompts: utils } = trpc.useUtils();

  /** What is edited begins with what is stored now. */
  function edit({ ownerId, id }: PromptHead): void {
    utils.read.fetch({ ownerId, id }, { staleTime: 0 }).then((prompt) => setDraft(draftOf(prompt)), showError);
  }

  return (
    <Findable words={`${t('com_prompts')} ${t('com_prompts_hint')}`}>
      {draft && <PromptEditor draft={draft} onChange={setDraft} onClose={() => setDraft(null)} />}
      {!draft && error && <p className={classes.note}>{describeError(error, t)}</p>}
      {!draft && !prompts && !error && <SkeletonRows count={4} />}
      {!draft && prompts && <PromptList prompts={prompts} onEdit={edit} onAdd={() => setDraft(draftOf(null))} />}
    </Findable>
  );
}
