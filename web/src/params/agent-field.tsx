// Tests of this room: tests/unit/web/params, tests/e2e/endpoints/parameters.test.ts.
import type { AgentOptions } from '@parley/schema/catalog/params';
import { useTranslation } from 'react-i18next';
import { SelectField } from '../ui/fields/select-field.tsx';
import { FieldFrame, type FieldProps } from './field-frame.tsx';
import classes from './params.module.css';
import { SliderField } from './slider-field.tsx';
import { SwitchField } from './switch-field.tsx';

const TEMPERATURE = { kind: 'slider', min: 0, max: 2, step: 0.01, default: 0 } as const;
const ON = { kind: 'toggle', default: true } as const;

interface AgentFieldProps extends FieldProps<'agent'> {
  /** That its endpoint offers. */
  models: readonly string[];
}

/** How the tools are used: one control for each part of the value. */
export function AgentField({ param, words, value, isOff, models, onChange }: AgentFieldProps) {
  const { t } = useTranslation();
  const options: AgentOptions = isOptions(value) ? value : param.default;
  const common = { isOff };
  const labels = (label: string, help?: string) => ({ label, help, placeholder: undefined });

  function change(part: Partial<AgentOptions>): void {
    onChange({ ...options, ...part });
  }

  return (
    <FieldFrame words={words} isChanged={isOptions(value)} isOff={isOff} onReset={() => onChange(undefined)}>
      {() => (
        <div className={classes.agent}>
          <FieldFrame
            words={labels(t('com_params_agent_model'), t('com_params_agent_model_help'))}
            isChanged={options.model !== param.default.model}
            isOff={isOff}
            onReset={() => change({ model: param.default.model })}
          >
            {({ label, help }) => (
              <SelectField
                aria-label={t('com_params_agent_model')}
                aria-labelledby={label}
                aria-describedby={help}
                isInPopover
                value={options.model === '' ? null : options.model}
                options={models.map((value) => ({ value, label: value }))}
                onChange={(model) => change({ model })}
              />
            )}
          </FieldFrame>
          <SliderField
            {...common}
            param={TEMPERATURE}
            words={labels(t('com_params_agent_temperature'))}
            value={options.temperature}
            onChange={(temperature) => change({ temperature: typeof temperature === 'number' ? temperature : 0 })}
          />
          <SwitchField
            {...common}
            param={ON}
            words={labels(t('com_params_agent_functions'), t('com_params_agent_functions_help'))}
            value={options.agent === 'functions'}
            onChange={(isOn) => change({ agent: isOn === false ? 'classic' : 'functions' })}
          />
          <SwitchField
            {...common}
            param={ON}
            words={labels(t('com_params_agent_skip'), t('com_params_agent_skip_help'))}
            value={options.skipCompletion}
            onChange={(isOn) => change({ skipCompletion: isOn !== false })}
          />
        </div>
      )}
    </FieldFrame>
  );
}

function isOptions(value: unknown): value is AgentOptions {
  return typeof value === 'object' && value !== null && 'skipCompletion' in value;
}
