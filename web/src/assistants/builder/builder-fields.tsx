import type { Assistant } from '@parley/schema/assistants/assistants';
import { IconTrash } from '@tabler/icons-react';
import { useState, type FormEvent, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useStartup } from '../../startup.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../confirm.tsx';
import { AvatarMenu } from './avatar-menu.tsx';
import { DESCRIPTION_MAX, INSTRUCTIONS_MAX, NAME_MAX } from './builder-form.ts';
import classes from './builder.module.css';
import { Knowledge } from './knowledge.tsx';
import { Starters } from './starters.tsx';
import { ToolsField } from './tools-field.tsx';
import type { Builder } from './use-builder.ts';
import { useSaveAssistant } from './use-save-assistant.ts';
import { ButtonRow } from '../../ui/primitives/button-row.tsx';
import { isNearEnd, LengthCount } from '../../ui/fields/length-count.tsx';
import { useAutosize } from '../../ui/hooks/use-autosize.ts';
import { endpointTypeOf } from '../../catalog/choose-model.ts';
import { EndpointPicker } from '../../endpoints/endpoint-picker.tsx';
import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Switch.css';
import { Switch } from '@mantine/core';

interface BuilderFieldsProps {
  builder: Builder;
  /** Of a builder that stands beside a chat; one with a page of its own leads to the pages of assistants. */
  onCreated?: (assistant: Assistant) => void;
}

/** The form of an assistant. */
export function BuilderFields({ builder, onCreated }: BuilderFieldsProps) {
  const { t } = useTranslation();
  const { saved, form, change, capabilities } = builder;
  const saving = useSaveAssistant(builder, onCreated);
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
          <Button variant="danger" className={classes.atStart} onClick={() => setAsking(true)}>
            <IconTrash aria-hidden />
            {t('com_assistants_delete')}
          </Button>
        )}
        {isDirty && (
          <>
            <span className={classes.unsaved}>{t('com_assistants_unsaved')}</span>
            <Button onClick={discard}>{t('com_assistants_discard')}</Button>
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
          onClose={() => setAsking(false)}
          onConfirm={() => void saving.remove()}
        />
      )}
    </>
  );
}

interface CountedTextProps {
  label: string;
  value: string;
  /** In characters; the browser takes no more. */
  max: number;
  /** Of a text of several lines. */
  rows?: number;
  onChange: (value: string) => void;
}

/** A text; near its end with its length and how long it may be. */
function CountedText({ label, value, max, rows, onChange }: CountedTextProps) {
  const id = useId();
  const isCounted = isNearEnd(value.length, max);
  const area = useRef<HTMLTextAreaElement>(null);
  useAutosize(area, value);
  const shared = {
    id,
    className: classes.input,
    'aria-describedby': isCounted ? `${id}-count` : undefined,
    maxLength: max,
    dir: value === '' ? undefined : 'auto',
    value,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  return (
    <div className={classes.field}>
      <div className={classes.head}>
        <label htmlFor={id} className={classes.label}>
          {label}
        </label>
        <LengthCount id={`${id}-count`} length={value.length} max={max} />
      </div>
      {rows === undefined ? (
        <input type="text" autoComplete="off" {...shared} />
      ) : (
        <textarea ref={area} rows={rows} {...shared} />
      )}
    </div>
  );
}

/** What the operator's own key of assistants is called among the endpoints. */
const OWN = 'assistants';

/** The model that answers, of all that the server offers, by the list that chats have. */
function ModelField({ builder: { form, change, catalog } }: { builder: Builder }) {
  const { t } = useTranslation();
  const endpoint = form.endpoint || OWN;
  const endpointType = endpointTypeOf(endpoint, catalog?.endpoints[endpoint]);
  return (
    <div className={classes.field}>
      <span className={classes.label}>{t('com_assistants_model')}</span>
      <div className={classes.model}>
        <EndpointPicker
          label={t('com_assistants_model')}
          catalog={catalog}
          modelTarget={{ endpoint, endpointType, model: form.model || null, settings: {} }}
          onPick={({ endpoint: picked, model }) =>
            change({ endpoint: picked === OWN ? '' : picked, model: model ?? form.model })
          }
        />
      </div>
      {form.model === '' && catalog && (
        <p className={classes.error} role="alert">
          {t('com_assistants_model_needed')}
        </p>
      )}
    </div>
  );
}

/** Whether everybody of the installation may use the assistant, and what that gives away. */
function SharingField({ builder: { form, change } }: { builder: Builder }) {
  const { t } = useTranslation();
  return (
    <>
      <Switch
        classNames={{ body: classes.switch, description: classes.help }}
        label={t('com_assistants_share')}
        description={t('com_assistants_share_about')}
        labelPosition="left"
        checked={form.isShared}
        onChange={({ currentTarget }) => change({ isShared: currentTarget.checked })}
      />
      {form.isShared && (
        <Switch
          classNames={{ body: classes.switch, description: classes.help }}
          label={t('com_assistants_knows_asker')}
          description={t('com_assistants_knows_asker_about')}
          labelPosition="left"
          checked={form.knowsAsker}
          onChange={({ currentTarget }) => change({ knowsAsker: currentTarget.checked })}
        />
      )}
    </>
  );
}
