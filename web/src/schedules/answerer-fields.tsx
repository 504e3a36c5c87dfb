// Tests of this room: tests/unit/web/schedules, tests/e2e/schedules.
import { useAtomValue } from 'jotai';
import { useTranslation } from 'react-i18next';
import { choosePreset, endpointTypeOf, type Catalog, type Choice } from '../catalog/choose-model.ts';
import { lastChoicesAtom } from '../catalog/last-choices.ts';
import { EndpointPicker } from '../endpoints/endpoint-picker.tsx';
import { usePresets } from '../presets/use-presets.ts';
import { SelectField } from '../ui/fields/select-field.tsx';
import classes from './schedules.module.css';

interface AnswererFieldsProps {
  choice: Choice | null;
  catalog: Catalog;
  onChange: (choice: Choice) => void;
}

/** Who answers: a preset of the person, or a model of the list that chats have. */
export function AnswererFields({ choice, catalog, onChange }: AnswererFieldsProps) {
  const { t } = useTranslation();
  const memory = useAtomValue(lastChoicesAtom);
  const { presets = [] } = usePresets(Infinity);
  const target = choice && {
    ...choice,
    endpointType: endpointTypeOf(choice.endpoint, catalog.endpoints[choice.endpoint]),
    settings: choice.settings ?? {},
  };
  return (
    <div className={classes.when}>
      <div className={classes.field}>
        <span className={classes.label}>{t('com_schedules_model')}</span>
        <div className={classes.model}>
          <EndpointPicker label={t('com_schedules_model')} catalog={catalog} modelTarget={target} onPick={onChange} />
        </div>
      </div>
      {presets.length > 0 && (
        <SelectField
          label={t('com_prompts_preset')}
          value={choice?.presetId ?? ''}
          options={[
            { value: '', label: t('com_prompts_preset_none') },
            ...presets.map(({ presetId, title }) => ({ value: presetId, label: title })),
          ]}
          onChange={(picked) => {
            const preset = presets.find(({ presetId }) => presetId === picked);
            const next = preset ? choosePreset(preset, catalog, memory) : choice && { ...choice, presetId: undefined };
            if (next) onChange(next);
          }}
        />
      )}
    </div>
  );
}
