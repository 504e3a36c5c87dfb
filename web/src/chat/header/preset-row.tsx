import type { Preset } from '@parley/schema/settings/presets';
import { IconCheck, IconPencil, IconPin, IconPinnedOff, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Chat } from '../use-chat.ts';
import { endpointLabel } from '../../catalog/choose-model.ts';
import { EndpointIcon } from '../../endpoints/endpoint-icons.tsx';
import { showToast } from '../../ui/toast/toast.ts';
import type { Dialog } from '../../dialogs/open-dialog.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { presetDraft } from '../../catalog/preset-draft.ts';
import classes from './preset-menu.module.css';
import { useApplyPreset } from './use-apply-preset.ts';
import { useSavePreset } from '../../presets/use-save-preset.ts';
import { PlainButton } from '../../ui/primitives/plain-button.tsx';

interface PresetRowProps {
  preset: Preset;
  chat: Chat;
  onClose: () => void;
  show: (dialog: Dialog) => void;
}

/** A preset in the list: a click applies it; the buttons beside it are its other actions. */
export function PresetRow({ preset, chat, onClose, show }: PresetRowProps) {
  const { t } = useTranslation();
  const { apply } = useApplyPreset(chat);
  const { presetId, title, endpoint, endpointType, model, isDefault } = preset;
  const isActive = chat.modelTarget?.presetId === presetId;
  const about = endpoint === null ? t('com_endpoint_preset_no_endpoint') : [model, endpointLabel(endpoint)].join(' · ');
  return (
    <li className={classes.row}>
      <PlainButton
        className={classes.choose}
        data-testid={`preset-item-${presetId}`}
        aria-current={isActive || undefined}
        onClick={() => {
          onClose();
          apply(preset);
        }}
      >
        <EndpointIcon endpointType={endpointType ?? 'custom'} endpoint={endpoint ?? ''} model={model} size="small" />
        <span className={classes.description}>
          <span className={classes.title} dir="auto" data-tooltip={title} data-cut>
            {title}
          </span>
          <span className={classes.about} data-tooltip={about} data-cut>
            {isDefault && <span className={classes.default}>{t('com_endpoint_preset_default')}</span>}
            {about}
          </span>
        </span>
        {isActive && <IconCheck className={classes.check} size={16} stroke={1.6} aria-hidden />}
      </PlainButton>
      <DefaultButton preset={preset} chat={chat} onClose={onClose} />
      <IconButton
        label={t('com_endpoint_preset_edit_for', { 0: title })}
        onClick={() => show({ name: 'preset', draft: presetDraft(preset) })}
      >
        <IconPencil aria-hidden />
      </IconButton>
      <IconButton
        label={t('com_endpoint_preset_delete_for', { 0: title })}
        onClick={() => show({ name: 'remove-preset', preset })}
      >
        <IconTrash aria-hidden />
      </IconButton>
    </li>
  );
}

/** Making a preset the default also starts a new chat with it. */
function DefaultButton({ preset, chat, onClose }: Pick<PresetRowProps, 'preset' | 'chat' | 'onClose'>) {
  const { t } = useTranslation();
  const { begin } = useApplyPreset(chat);
  const { presetId, title, isDefault } = preset;
  const { save, isSaving } = useSavePreset((saved) => {
    const key = saved.isDefault ? 'com_endpoint_preset_is_default' : 'com_endpoint_preset_is_no_default';
    showToast({ message: t(key, { 0: title }), severity: 'success' });
    if (!saved.isDefault) return;
    onClose();
    begin(saved);
  });
  const key = isDefault ? 'com_endpoint_preset_unset_default_for' : 'com_endpoint_preset_set_default_for';
  return (
    <IconButton
      label={t(key, { 0: title })}
      aria-disabled={isSaving || undefined}
      onClick={() => !isSaving && save({ presetId, isDefault: !isDefault })}
    >
      {isDefault ? <IconPinnedOff aria-hidden /> : <IconPin aria-hidden />}
    </IconButton>
  );
}
