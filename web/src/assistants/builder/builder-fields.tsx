import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useSetAtom } from 'jotai';
import { useId, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useStartup } from '../../startup.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import { Button } from '../../ui/button.tsx';
import { ActionList } from '../actions/action-list.tsx';
import { Confirm } from '../confirm.tsx';
import { AvatarMenu } from './avatar-menu.tsx';
import { DESCRIPTION_MAX, INSTRUCTIONS_MAX, NAME_MAX } from './builder-form.ts';
import classes from './builder.module.css';
import { isNewAtom } from './builder-state.ts';
import { Capabilities } from './capabilities.tsx';
import { CountedText } from './counted-text.tsx';
import { Knowledge } from './knowledge.tsx';
import { SharingField } from './sharing-field.tsx';
import { Starters } from './starters.tsx';
import { ToolsField } from './tools-field.tsx';
import type { Builder } from './use-builder.ts';
import { useSaveAssistant } from './use-save-assistant.ts';

/** The form of an assistant. */
export function BuilderFields({ builder }: { builder: Builder }) {
  const { t } = useTranslation();
  const { saved, foreign, form, change, capabilities } = builder;
  const saving = useSaveAssistant(builder);
  const canShare = useStartup()?.sharedAssistantsEnabled ?? true;

  function submit(event: FormEvent): void {
    event.preventDefault();
    void saving.save();
  }

  if (foreign) {
    const name = foreign.name || t('com_assistants_unnamed');
    return (
      <div className={classes.form}>
        <NewButton isNew={false} />
        <p className={classes.sharedBy}>{t('com_assistants_shared_by', { 0: name, 1: foreign.sharedBy })}</p>
      </div>
    );
  }
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <div className={classes.top}>
        <AvatarMenu assistant={saved} />
        <NewButton isNew={saved === null} />
      </div>
      <CountedText
        label={t('com_assistants_name')}
        value={form.name}
        max={NAME_MAX}
        onChange={(name) => change({ name })}
      />
      <CountedText
        label={t('com_assistants_description')}
        value={form.description}
        max={DESCRIPTION_MAX}
        rows={2}
        onChange={(description) => change({ description })}
      />
      <CountedText
        label={t('com_assistants_instructions')}
        value={form.instructions}
        max={INSTRUCTIONS_MAX}
        rows={5}
        onChange={(instructions) => change({ instructions })}
      />
      <ModelField builder={builder} />
      <Capabilities builder={builder} />
      {(capabilities.includes('retrieval') || capabilities.includes('code_interpreter')) && (
        <Knowledge builder={builder} />
      )}
      {capabilities.includes('tools') && <ToolsField builder={builder} />}
      {capabilities.includes('actions') && <ActionList assistant={saved} />}
      <Starters starters={form.starters} onChange={(starters) => change({ starters })} />
      {(canShare || form.isShared) && <SharingField builder={builder} />}
      <Footer builder={builder} saving={saving} />
    </form>
  );
}

function NewButton({ isNew }: { isNew: boolean }) {
  const { t } = useTranslation();
  const setNew = useSetAtom(isNewAtom);
  return (
    <Button size="sm" aria-pressed={isNew} onClick={() => setNew(!isNew)} type="button">
      <IconPlus aria-hidden />
      {t('com_assistants_new')}
    </Button>
  );
}

function ModelField({ builder: { form, change, models } }: { builder: Builder }) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className={classes.field}>
      <label htmlFor={id} className={classes.label}>
        {t('com_assistants_model')}
      </label>
      <select
        id={id}
        className={classes.input}
        value={form.model}
        required
        aria-invalid={form.model === '' || undefined}
        onChange={({ currentTarget }) => change({ model: currentTarget.value })}
      >
        {models.map((model) => (
          <option key={model}>{model}</option>
        ))}
      </select>
      {form.model === '' && (
        <p className={classes.error} role="alert">
          {t('com_assistants_model_needed')}
        </p>
      )}
    </div>
  );
}

interface FooterProps {
  builder: Builder;
  saving: ReturnType<typeof useSaveAssistant>;
}

function Footer({ builder: { saved, form, isDirty, discard }, saving }: FooterProps) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const canSave = form.model !== '' && (saved === null || isDirty);
  return (
    <>
      {saving.failure && (
        <p className={classes.error} role="alert">
          {saving.failure}
        </p>
      )}
      <div className={classes.buttons}>
        {saved && (
          <Button
            type="button"
            variant="danger"
            className={classes.atStart}
            aria-label={t('com_assistants_delete')}
            data-tooltip={t('com_assistants_delete')}
            onClick={() => setAsking(true)}
          >
            <IconTrash aria-hidden />
          </Button>
        )}
        {isDirty && (
          <Button type="button" onClick={discard}>
            {t('com_assistants_discard')}
          </Button>
        )}
        <BusyButton
          type="submit"
          variant="filled"
          isBusy={saving.isBusy}
          disabled={!canSave}
          data-testid="save-assistant"
        >
          {saved ? t('com_ui_save') : t('com_assistants_create')}
        </BusyButton>
      </div>
      {isAsking && (
        <Confirm
          title={t('com_assistants_delete')}
          text={t('com_assistants_delete_ask')}
          onCancel={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false);
            void saving.remove();
          }}
        />
      )}
    </>
  );
}
