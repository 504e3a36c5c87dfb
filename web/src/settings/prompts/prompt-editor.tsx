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
  type PromptVersion,
} from '@parley/schema/prompts/prompt-rules';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../errors/describe-error.ts';
import { trpc } from '../../trpc.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import { Button } from '../../ui/button.tsx';
import { fieldClasses } from '../../ui/fields/field-classes.ts';
import { TextField } from '../../ui/fields/text-field.tsx';
import type { PromptDraft } from './prompt-draft.ts';
import classes from './prompts.module.css';
import { ButtonRow } from '../../ui/primitives/button-row.tsx';
import { formatDateTime } from '../../lib/format-date.ts';
import { TextButton } from '../../ui/text-button/text-button.tsx';
import { PromptExtras } from './prompt-extras.tsx';
import { Problem } from '../../ui/primitives/problem.tsx';

interface PromptEditorProps {
  draft: PromptDraft;
  onChange: (draft: PromptDraft) => void;
  onClose: () => void;
}

/** Of placeholders. */
const EXAMPLES = { 0: '{{topic}}', 1: '{{tone|choice:friendly,formal}}' };

export function PromptEditor({ draft, onChange, onClose }: PromptEditorProps) {
  const { t } = useTranslation();
  const { id, title, body, tags, presetId, tools, version } = draft;
  const change = (over: Partial<PromptDraft>) => onChange({ ...draft, ...over });
  const command = draft.command ?? (title.trim() === '' ? '' : commandFrom(title));
  const isCommandWrong = command !== '' && !COMMAND.test(command);
  const { prompts } = trpc.useUtils();
  const save = trpc.prompts.save.useMutation({
    onSuccess: () => {
      void prompts.invalidate();
      onClose();
    },
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    save.mutate({ id, title, command, body, tags: splitTags(tags), presetId, tools });
  }

  return (
    <form className={classes.editor} onSubmit={submit}>
      <TextField
        label={t('com_prompts_title')}
        required
        maxLength={PROMPT_TITLE_MAX}
        value={title}
        dir="auto"
        data-autofocus
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
      <ButtonRow end>
        <Button onClick={onClose}>{t('com_ui_cancel')}</Button>
        <BusyButton type="submit" variant="filled" isBusy={save.isPending} disabled={isCommandWrong}>
          {t('com_ui_save')}
        </BusyButton>
      </ButtonRow>
      {version !== null && (
        <PromptVersions id={id} version={version} onTake={({ title, body }) => change({ title, body })} />
      )}
    </form>
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
  /** The present one, which is not listed. */
  version: number;
  onTake: (version: PromptVersion) => void;
}

/** What the prompt said before; one of them is taken into the form, where nothing is saved yet. */
function PromptVersions({ id, version, onTake }: PromptVersionsProps) {
  const { t, i18n } = useTranslation();
  const { data } = trpc.prompts.versions.useQuery({ id }, { staleTime: 0 });
  const earlier = data?.filter(({ n }) => n < version) ?? [];
  if (earlier.length === 0) return null;
  return (
    <details className={classes.versions}>
      <summary>{t('com_prompts_versions', { count: earlier.length })}</summary>
      <ul>
        {earlier.map((one) => (
          <li key={one.n} className={classes.row}>
            <div className={classes.names}>
              <span>{formatDateTime(one.createdAt, i18n.language)}</span>
              <p className={classes.excerpt} dir="auto">
                {one.body}
              </p>
            </div>
            <TextButton onClick={() => onTake(one)}>{t('com_prompts_take')}</TextButton>
          </li>
        ))}
      </ul>
    </details>
  );
}
