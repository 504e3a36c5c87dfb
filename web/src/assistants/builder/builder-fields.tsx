import { IconTrash } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useStartup } from '../../startup.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../confirm.tsx';
import { AvatarMenu } from './avatar-menu.tsx';
import { DESCRIPTION_MAX, INSTRUCTIONS_MAX, NAME_MAX } from './builder-form.ts';
import classes from './builder.module.css';
import { CountedText } from './counted-text.tsx';
import { Knowledge } from './knowledge.tsx';
import { ModelField } from './model-field.tsx';
import { SharingField } from './sharing-field.tsx';
import { Starters } from './starters.tsx';
import { ToolsField } from './tools-field.tsx';
import type { Builder } from './use-builder.ts';
import { useSaveAssistant } from './use-save-assistant.ts';
import { ButtonRow } from '../../ui/button-row.tsx';

/** The form of an assistant. */
export function BuilderFields({ builder }: { builder: Builder }) {
  const { t } = useTranslation();
  const { saved, form, change, capabilities } = builder;
  const saving = useSaveAssistant(builder);
  const canShare = useStartup()?.sharedAssistantsEnabled ?? true;
  const can = (...wanted: string[]) => wanted.some((one) => capabilities.includes(one));

  function submit(event: FormEvent): void {
    event.preventDefault();
    void saving.save();
  }

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <div className={classes.identity}>
        <AvatarMenu assistant={saved} />
        <CountedText
          label={t('com_assistants_name')}
          value={form.name}
          max={NAME_MAX}
          onChange={(name) => change({ name })}
        />
      </div>
      <CountedText
        label={t('com_assistants_description')}
        value={form.description}
        max={DESCRIPTION_MAX}
        rows={1}
        onChange={(description) => change({ description })}
      />
      <CountedText
        label={t('com_assistants_instructions')}
        value={form.instructions}
        max={INSTRUCTIONS_MAX}
        rows={6}
        onChange={(instructions) => change({ instructions })}
      />
      <ModelField builder={builder} />
      {can('tools', 'actions', 'code_interpreter', 'image_vision') && <ToolsField builder={builder} />}
      {can('retrieval', 'code_interpreter') && <Knowledge builder={builder} />}
      <Starters starters={form.starters} onChange={(starters) => change({ starters })} />
      {(canShare || form.isShared) && <SharingField builder={builder} />}
      <Footer builder={builder} saving={saving} />
    </form>
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
      <ButtonRow end className={classes.footer}>
        {saved && (
          <Button type="button" variant="danger" className={classes.atStart} onClick={() => setAsking(true)}>
            <IconTrash aria-hidden />
            {t('com_assistants_delete')}
          </Button>
        )}
        {isDirty && (
          <>
            <span className={classes.unsaved}>{t('com_assistants_unsaved')}</span>
            <Button type="button" onClick={discard}>
              {t('com_assistants_discard')}
            </Button>
          </>
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
      </ButtonRow>
      {isAsking && (
        <Confirm
          title={t('com_assistants_delete')}
          text={t('com_assistants_delete_named_ask', { 0: saved?.name || t('com_assistants_unnamed') })}
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
