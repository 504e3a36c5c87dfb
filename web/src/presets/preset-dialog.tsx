import { carrySettings } from '@parley/schema/settings/carry-settings';
import type { PRESET_TITLE_MAX, PresetSettings } from '@parley/schema/settings/presets';
import { IconFileExport } from '@tabler/icons-react';
import { useAtomValue } from 'jotai';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import {
  chooseEndpoint,
  endpointLabel,
  endpointTypeOf,
  listEndpoints,
  endpointModels,
  type Catalog,
} from '../catalog/choose-model.ts';
import { lastChoicesAtom } from '../catalog/last-choices.ts';
import { SaveButton } from '../ui/busy-button.tsx';
import { showToast } from '../ui/toast/toast.ts';
import { DialogFrame } from '../dialogs/dialog-frame.tsx';
import { Button } from '../ui/button.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { TextField } from '../ui/fields/text-field.tsx';
import type { PresetDraft } from '../catalog/preset-draft.ts';
import { savePresetFile } from './preset-file.ts';
import { useSavePreset } from './use-save-preset.ts';
import { useCatalog } from '../endpoints/use-catalog.ts';
import { ButtonRow } from '../ui/primitives/button-row.tsx';
import { useAgentModels } from '../endpoints/use-agent-models.ts';
import { ParamFields } from '../params/param-fields.tsx';
import classes from './preset-dialog.module.css';

const TITLE_MAX: typeof PRESET_TITLE_MAX = 255;

interface PresetDialogProps {
  draft: PresetDraft;
  onClose: () => void;
}

/** Edits a preset, or names a new one. */
export function PresetDialog({ draft, onClose }: PresetDialogProps) {
  const { t } = useTranslation();
  const catalog = useCatalog();
  const title = draft.presetId === undefined ? t('com_endpoint_save_as_preset') : t('com_endpoint_preset_edit');
  return (
    <DialogFrame title={title} size="lg" onClose={onClose}>
      {catalog && <Form draft={draft} catalog={catalog} onClose={onClose} />}
    </DialogFrame>
  );
}

function Form({ draft, catalog, onClose }: PresetDialogProps & { catalog: Catalog }) {
  const { t } = useTranslation();
  const memory = useAtomValue(lastChoicesAtom);
  const [edited, setEdited] = useState(draft);
  const { endpoint, model, settings } = edited;
  const type = endpoint === null ? null : endpointTypeOf(endpoint, catalog.endpoints[endpoint]);
  const change = (part: Partial<PresetDraft>) => setEdited({ ...edited, ...part });
  const title = edited.title.trim() || t('com_endpoint_my_preset');
  const { save, isSaving } = useSavePreset((saved) => {
    showToast({ message: t('com_endpoint_preset_saved', { 0: saved.title }), severity: 'success' });
    onClose();
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    save({ ...edited, title });
  }

  /** Keeps the settings that the other endpoint also supports. */
  function changeEndpoint(name: string): void {
    const next = chooseEndpoint(name, catalog, memory);
    const nextType = endpointTypeOf(name, catalog.endpoints[name]);
    change({ endpoint: name, model: next.model, settings: carrySettings(nextType, next.model, settings) });
  }

  return (
    <form className={classes.form} onSubmit={submit}>
      <TextField
        label={t('com_endpoint_preset_name')}
        placeholder={t('com_endpoint_my_preset')}
        maxLength={TITLE_MAX}
        value={edited.title}
        onChange={(event) => change({ title: event.currentTarget.value })}
        dir="auto"
        data-autofocus
        // A default name gives way as soon as the user types.
        onFocus={(event) => draft.presetId === undefined && event.currentTarget.select()}
      />
      <div className={classes.pair}>
        <SelectField
          label={t('com_endpoint_preset_endpoint')}
          placeholder={t('com_endpoint_preset_choose_endpoint')}
          value={endpoint}
          options={listEndpoints(catalog.endpoints).map((name) => ({ value: name, label: endpointLabel(name) }))}
          onChange={changeEndpoint}
        />
        {endpoint !== null && (
          <SelectField
            label={t('com_endpoint_preset_model')}
            value={model}
            options={endpointModels(endpoint, catalog).map((name) => ({ value: name, label: name }))}
            onChange={(name) => change({ model: name })}
          />
        )}
      </div>
      {endpoint !== null && type !== null && (
        <PresetSettingsFields
          endpoint={endpoint}
          type={type}
          model={model}
          settings={settings}
          onChange={(changed) => change({ settings: changed })}
        />
      )}
      <ButtonRow end className={classes.buttons}>
        <Button onClick={() => savePresetFile({ ...edited, title }, type)}>
          <IconFileExport aria-hidden />
          {t('com_endpoint_export')}
        </Button>
        <SaveButton isBusy={isSaving} />
      </ButtonRow>
    </form>
  );
}

interface PresetSettingsFieldsProps {
  endpoint: string;
  type: EndpointType;
  model: string | null;
  settings: PresetSettings;
  onChange: (settings: PresetSettings) => void;
}

/** The settings of a preset. Fields of other clients stay unchanged. */
function PresetSettingsFields({ endpoint, type, ...rest }: PresetSettingsFieldsProps) {
  return <ParamFields key={type} type={type} agentModels={useAgentModels(endpoint)} isNewChat {...rest} />;
}
