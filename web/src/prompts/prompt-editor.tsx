import '@mantine/core/styles/Input.css';
import { Textarea } from '@mantine/core';
import { parseTemplate } from '@parley/schema/prompts/placeholders';
import {
  COMMAND,
  commandFrom,
  PROMPT_BODY_MAX,
  PROMPT_COMMAND_MAX,
  PROMPT_TITLE_MAX,
  splitTags,
  type PromptHead,
  type PromptVersion,
} from '@parley/schema/prompts/prompt-rules';
import { IconTrash, IconUsers } from '@tabler/icons-react';
import { useAtom, useStore } from 'jotai';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { navigate } from 'wouter/use-browser-location';
import { describeError } from '../errors/describe-error.ts';
import { trpc } from '../trpc.ts';
import { SaveButton } from '../ui/busy-button.tsx';
import { Button } from '../ui/button.tsx';
import { fieldClasses } from '../ui/fields/field-classes.ts';
import { TextField } from '../ui/fields/text-field.tsx';
import { draftOf, promptDraftsAtom, type PromptDraft } from './prompt-drafts.ts';
import classes from './prompts.module.css';
import { ButtonRow } from '../ui/primitives/button-row.tsx';
import { PromptExtras } from './prompt-extras.tsx';
import { NEW_PROMPT, NEW_PROMPT_PATH, promptPath, PROMPTS_PATH } from './prompt-paths.ts';
import { useChangePrompts } from './use-prompts.ts';
import { focusIfLost } from '../lib/focus-if-lost.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { SkeletonRows } from '../ui/skeleton/skeleton-rows.tsx';
import { Problem } from '../ui/primitives/problem.tsx';
import { EarlierVersions } from '../ui/versions/earlier-versions.tsx';

/** A prompt of the person, or a new one, with what was typed and not saved. */
export function OpenPrompt({ promptId, prompts }: { promptId: string; prompts: readonly PromptHead[] }) {
  const { t } = useTranslation();
  const store = useStore();
  const [drafts, setDraft] = useAtom(promptDraftsAtom);
  const [empty] = useState(() => draftOf(null));
  const head = prompts.find(({ id, ownerName }) => id === promptId && ownerName === null);
  const isRead = !drafts[promptId] && head !== undefined;
  // What is edited begins with what is stored now.
  const { data, error, isFetchedAfterMount } = trpc.prompts.read.useQuery(
    { ownerId: head?.ownerId ?? '', id: promptId },
    { staleTime: 0, enabled: isRead },
  );
  const stored = head && data && isFetchedAfterMount ? draftOf(data) : null;
  const draft = drafts[promptId] ?? (promptId === NEW_PROMPT ? empty : stored);

  /** What was typed while `saved` was on its way stays. */
  function forget(saved?: PromptDraft): void {
    const now = store.get(promptDraftsAtom)[promptId];
    if (saved && JSON.stringify(now) !== JSON.stringify(saved)) return;
    setDraft(promptId, null);
    if (saved && window.location.pathname === NEW_PROMPT_PATH) navigate(promptPath(saved.id), { replace: true });
  }

  if (!draft && error) return <Problem>{describeError(error, t)}</Problem>;
  if (!draft) return head ? <SkeletonRows count={6} /> : <p className={classes.note}>{t('com_tools_gone')}</p>;
  return (
    <PromptEditor
      head={head}
      draft={draft}
      isChanged={drafts[promptId] !== undefined}
      onChange={(changed) => setDraft(promptId, changed)}
      onForget={forget}
    />
  );
}

interface PromptEditorProps {
  /** Undefined until it is saved. */
  head: PromptHead | undefined;
  draft: PromptDraft;
  isChanged: boolean;
  onChange: (draft: PromptDraft) => void;
  /** Of what was saved, or of all of it. */
  onForget: (saved?: PromptDraft) => void;
}

/** Of placeholders. */
const EXAMPLES = { 0: '{{topic}}', 1: '{{tone|choice:friendly,formal}}' };

function PromptEditor({ head, draft, isChanged, onChange, onForget }: PromptEditorProps) {
  const { t } = useTranslation();
  const { id, title, body, tags, presetId, tools, version } = draft;
  const change = (over: Partial<PromptDraft>) => onChange({ ...draft, ...over });
  const command = draft.command ?? (title.trim() === '' ? '' : commandFrom(title));
  const isCommandWrong = command !== '' && !COMMAND.test(command);
  const save = useSave(draft, onForget);

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!isChanged || save.isPending) return;
    save.mutate({ id, title, command, body, tags: splitTags(tags), presetId, tools });
  }

  function discard(): void {
    onForget();
    if (!head) navigate(PROMPTS_PATH);
  }

  return (
    <form className={classes.editor} aria-label={title || t('com_prompts_new')} onSubmit={submit}>
      {head && <EditorHead head={head} onRemoved={() => onForget()} />}
      <TextField
        label={t('com_prompts_title')}
        required
        maxLength={PROMPT_TITLE_MAX}
        value={title}
        dir="auto"
        // Who wants a new one begins to write; on a phone the list has gone with the focus.
        autoFocus={!head}
        onChange={(event) => change({ title: event.currentTarget.value })}
      />
      <TextField
        label={t('com_prompts_command')}
        required
        maxLength={PROMPT_COMMAND_MAX}
        value={command}
        dir="ltr"
        leftSection="/"
        error={isCommandWrong && t('com_prompts_command_wrong')}
        onChange={(event) => change({ command: event.currentTarget.value.toLowerCase() })}
      />
      <Textarea
        label={t('com_prompts_text')}
        description={t('com_prompts_text_hint', EXAMPLES)}
        required
        classNames={{ ...fieldClasses, description: classes.hint }}
        maxLength={PROMPT_BODY_MAX}
        rows={8}
        value={body}
        dir="auto"
        onChange={(event) => change({ body: event.currentTarget.value })}
      />
      <AskedFor body={body} />
      <TextField
        label={t('com_prompts_tags')}
        value={tags}
        dir="auto"
        onChange={(event) => change({ tags: event.currentTarget.value })}
      />
      <PromptExtras presetId={presetId} tools={tools} onChange={change} />
      <Problem>{save.error && describeError(save.error, t)}</Problem>
      {isChanged && <p className={classes.hint}>{t('com_assistants_unsaved')}</p>}
      <ButtonRow end>
        {isChanged && <Button onClick={discard}>{t('com_assistants_discard')}</Button>}
        <SaveButton isBusy={save.isPending} disabled={isCommandWrong || !isChanged} />
      </ButtonRow>
      {version !== null && (
        <PromptVersions id={id} version={version} onTake={({ title, body }) => change({ title, body })} />
      )}
    </form>
  );
}

function useSave(draft: PromptDraft, onSaved: (saved: PromptDraft) => void) {
  const { prompts } = trpc.useUtils();
  return trpc.prompts.save.useMutation({
    onMutate: () => draft,
    onSuccess: async (_stored, _input, saved) => {
      // The form goes on with what is stored, which has to be there first.
      await prompts.invalidate();
      onSaved(saved);
    },
  });
}

/** What is done with a prompt as a whole. */
function EditorHead({ head: { id, title, isShared }, onRemoved }: { head: PromptHead; onRemoved: () => void }) {
  const { t } = useTranslation();
  const { share, remove } = useChangePrompts();
  function removeIt(): void {
    remove({ id });
    onRemoved();
    navigate(PROMPTS_PATH);
  }
  return (
    <div className={classes.head}>
      <h2 ref={focusIfLost} className={classes.title} tabIndex={-1} dir="auto">
        {title}
      </h2>
      <IconButton
        label={t('com_prompts_share', { 0: title })}
        aria-pressed={isShared}
        onClick={() => share({ id, isShared: !isShared })}
      >
        <IconUsers aria-hidden />
      </IconButton>
      <IconButton label={t('com_prompts_delete', { 0: title })} onClick={removeIt}>
        <IconTrash aria-hidden />
      </IconButton>
    </div>
  );
}

/** Which fields the form of this text has. */
function AskedFor({ body }: { body: string }) {
  const { t, i18n } = useTranslation();
  const { fields } = parseTemplate(body);
  if (fields.length === 0) return null;
  const names = new Intl.ListFormat(i18n.language).format(fields.map(({ name }) => name));
  return <p className={classes.note}>{t('com_prompts_asks_for', { 0: names })}</p>;
}

interface PromptVersionsProps {
  id: string;
  version: number;
  onTake: (version: PromptVersion) => void;
}

function PromptVersions({ id, version, onTake }: PromptVersionsProps) {
  const { t } = useTranslation();
  const { data } = trpc.prompts.versions.useQuery({ id }, { staleTime: 0 });
  return (
    <EarlierVersions
      versions={data}
      present={version}
      summary={(count) => t('com_prompts_versions', { count })}
      take={t('com_prompts_take')}
      onTake={onTake}
    />
  );
}
