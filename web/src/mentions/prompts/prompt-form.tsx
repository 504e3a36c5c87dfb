import { parseTemplate } from '@parley/schema/prompts/placeholders';
import type { Field } from '@parley/schema/prompts/read-field';
import type { Prompt } from '@parley/schema/prompts/prompt-rules';
import type { TFunction } from 'i18next';
import { useEffect, useId, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { Chat } from '../../chat/use-chat.ts';
import { proposes } from '../../prompts/prompt-offer.ts';
import { composerId } from '../../slots/focus-composer.ts';
import { useSlotIndex } from '../../slots/slot.ts';
import { Button } from '../../ui/button.tsx';
import classes from './prompt-form.module.css';
import { useInsertPrompt } from './use-insert-prompt.ts';
import { ButtonRow } from '../../ui/primitives/button-row.tsx';
import { TextArea } from '../../ui/fields/text-area.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';

/** The fields of a prompt, above the message box in the place of the list. Ctrl+Enter inserts the text and sends it. */
export function PromptForm({ chat, prompt, onClose }: { chat: Chat; prompt: Prompt; onClose: () => void }) {
  const { t } = useTranslation();
  const titleId = useId();
  const insert = useInsertPrompt(chat);
  const box = document.getElementById(composerId(useSlotIndex()));
  // Not the form of the box: a form has no form in it.
  const frame = box?.closest('form > div');
  const form = useRef<HTMLFormElement>(null);
  const { fields } = parseTemplate(prompt.body);
  const [values, setValues] = useState(() => new Map(fields.map((field) => [field.name, beginningOf(field, t)])));
  useEffect(() => form.current?.querySelector<HTMLElement>('input, textarea, select')?.focus(), []);

  async function finish(isSent: boolean): Promise<void> {
    await insert(prompt, values);
    onClose();
    // What it proposes is for this question: the person answers first.
    if (isSent && !proposes(prompt))
      requestAnimationFrame(() => box instanceof HTMLTextAreaElement && box.form?.requestSubmit());
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    // React passes it on to the message box, in whose form this is not.
    event.stopPropagation();
    void finish(false);
  }

  function onKeyDown(event: KeyboardEvent<HTMLFormElement>): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      cancel();
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      event.stopPropagation();
      if (event.currentTarget.reportValidity()) void finish(true);
    }
  }

  function cancel(): void {
    onClose();
    box?.focus();
  }

  if (!frame) return null;
  return createPortal(
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of its fields bubble to it
    <form ref={form} className={classes.form} aria-labelledby={titleId} onSubmit={submit} onKeyDown={onKeyDown}>
      <p id={titleId} className={classes.title} dir="auto">
        {prompt.title}
      </p>
      <div className={classes.fields}>
        {fields.map((field: Field) => (
          <PromptField
            key={field.name}
            field={field}
            value={values.get(field.name) ?? ''}
            onChange={(value) => setValues((before) => new Map(before).set(field.name, value))}
          />
        ))}
      </div>
      <ButtonRow end>
        <Button size="sm" onClick={cancel}>
          {t('com_ui_cancel')}
        </Button>
        <Button size="sm" variant="filled" type="submit">
          {t('com_prompts_insert')}
        </Button>
      </ButtonRow>
    </form>,
    frame,
  );
}

/** A field of a prompt, by its kind. */
function PromptField({ field, value, onChange }: { field: Field; value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation();
  const { name, kind, choices, isRequired, placeholder = '', label = name } = field;
  const common = { label, required: isRequired, value };
  if (kind === 'long') {
    return (
      <TextArea
        {...common}
        placeholder={placeholder}
        rows={3}
        dir="auto"
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  if (kind === 'choice' || kind === 'yesno') {
    const listed = kind === 'choice' ? choices : [t('com_prompts_yes'), t('com_prompts_no')];
    const options = ['', ...listed].map((option) => ({ value: option, label: option || placeholder || '–' }));
    return <SelectField {...common} options={options} onChange={onChange} />;
  }
  return (
    <TextField
      {...common}
      type={kind}
      placeholder={placeholder}
      {...(kind === 'number' && { min: field.min, max: field.max, step: field.step ?? 'any' })}
      dir="auto"
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** What a field begins with. The words for yes and no are those of the page. */
function beginningOf({ kind, initial }: Field, t: TFunction): string {
  // Browsers show black where no color is chosen.
  if (kind === 'color') return initial || '#000000';
  if (kind !== 'yesno') return initial;
  const said = initial.toLowerCase();
  const isYes = ['true', 'yes', t('com_prompts_yes').toLowerCase()].includes(said);
  const isNo = ['false', 'no', t('com_prompts_no').toLowerCase()].includes(said);
  return isYes ? t('com_prompts_yes') : isNo ? t('com_prompts_no') : '';
}
