import '../export/lazy-words.ts';
import './lazy-words.ts';
import '@mantine/core/styles/Button.css';
import '@mantine/core/styles/Input.css';
import { Button, TextInput } from '@mantine/core';
import { carrySettings } from '@parley/schema/carry-settings';
import type { PRESET_TITLE_MAX } from '@parley/schema/presets';
import { IconFileExport } from '@tabler/icons-react';
import { useAtomValue } from 'jotai';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import {
  chooseEndpoint,
  endpointLabel,
  endpointTypeOf,
  listEndpoints,
  modelsOf,
  type Offer,
} from '../endpoints/choose.ts';
import { choiceMemoryAtom } from '../endpoints/memory.ts';
import { useOffer } from '../endpoints/use-addressee.ts';
import { BusyButton } from '../lib/busy-button.tsx';
import { showToast } from '../lib/toast.tsx';
import { DialogFrame } from '../shell/dialogs/dialog-frame.tsx';
import { Dropdown } from './dropdown.tsx';
import classes from './preset-dialog.module.css';
import type { PresetDraft } from './preset-draft.ts';
import { savePresetFile } from './preset-file.ts';
import { PresetSettingsFields } from './preset-settings-fields.tsx';
import { useSavePreset } from './use-save-preset.ts';

const TITLE_MAX: typeof PRESET_TITLE_MAX = 255;

interface PresetDialogProps {
  draft: PresetDraft;
  onClose: () => void;
}

/** Edits a preset, or names a new one. */
export function PresetDialog({ draft, onClose }: PresetDialogProps) {
  const { t } = useTranslation();
  const offer = useOffer();
  const title = draft.presetId === undefined ? t('com_endpoint_save_as_preset') : t('com_endpoint_preset_edit');
  return (
    <DialogFrame title={title} size="lg" onClose={onClose}>
      {offer && <Form draft={draft} offer={offer} onClose={onClose} />}
    </DialogFrame>
  );
}

function Form({ draft, offer, onClose }: PresetDialogProps & { offer: Offer }) {
  const { t } = useTranslation();
  const memory = useAtomValue(choiceMemoryAtom);
  const [edited, setEdited] = useState(draft);
  const { endpoint, model, settings } = edited;
  const type = endpoint === null ? null : endpointTypeOf(endpoint, offer.endpoints[endpoint]);
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

  /** What the other one knows too is kept. */
  function changeEndpoint(name: string): void {
    const next = chooseEndpoint(name, offer, memory);
    const nextType = endpointTypeOf(name, offer.endpoints[name]);
    change({ endpoint: name, model: next.model, settings: carrySettings(nextType, next.model, settings) });
  }

  return (
    <form className={classes.form} onSubmit={submit}>
      <TextInput
        label={t('com_endpoint_preset_name')}
        placeholder={t('com_endpoint_my_preset')}
        maxLength={TITLE_MAX}
        value={edited.title}
        onChange={(event) => change({ title: event.currentTarget.value })}
        autoComplete="off"
        dir="auto"
        data-autofocus
        // A name that nobody chose gives way to the first letter of one's own.
        onFocus={(event) => draft.presetId === undefined && event.currentTarget.select()}
      />
      <div className={classes.pair}>
        <Dropdown
          label={t('com_endpoint_preset_endpoint')}
          placeholder={t('com_endpoint_preset_choose_endpoint')}
          value={endpoint}
          options={listEndpoints(offer.endpoints)}
          nameOf={endpointLabel}
          onChange={changeEndpoint}
        />
        {endpoint !== null && (
          <Dropdown
            label={t('com_endpoint_preset_model')}
            value={model}
            options={modelsOf(endpoint, offer)}
            onChange={(name) => change({ model: name })}
          />
        )}
      </div>
      {type !== null && (
        <PresetSettingsFields
          type={type}
          model={model}
          settings={settings}
          onChange={(changed) => change({ settings: changed })}
        />
      )}
      <div className={classes.buttons}>
        <Button
          variant="default"
          leftSection={<IconFileExport size={16} stroke={1.6} aria-hidden />}
          onClick={() => savePresetFile({ ...edited, title }, type)}
        >
          {t('com_endpoint_export')}
        </Button>
        <BusyButton type="submit" isBusy={isSaving}>
          {t('com_ui_save')}
        </BusyButton>
      </div>
    </form>
  );
}
