// One panel for every endpoint, generated from the parameter table: a field for each parameter.
import { endpointParams, type EndpointType } from '@parley/schema/catalog/endpoints';
import { fitToModel, withSetting } from '@parley/schema/settings/fit-settings';
import type { Param, Settings, SettingValue } from '@parley/schema/catalog/params';
import { useTranslation } from 'react-i18next';
import { AgentField } from './agent-field.tsx';
import { ChoiceField } from './choice-field.tsx';
import { ContextTokens } from './context-tokens.tsx';
import { ExamplesField } from './examples-field.tsx';
import { paramLabels } from './param-labels.ts';
import classes from './params.module.css';
import { isOffWithTools, shownParams } from './shown-params.ts';
import { SliderField } from './slider-field.tsx';
import { StepsField } from './steps-field.tsx';
import { SwitchField } from './switch-field.tsx';
import { TagsField } from './tags-field.tsx';
import { TextField } from './text-field.tsx';

interface ParamFieldsProps {
  type: EndpointType;
  /** Bounds for models that differ from the table. */
  model: string | null;
  /** What the agent may be; null where there is none, since no tools are used. */
  agentModels: readonly string[] | null;
  settings: Settings;
  /** Gets all settings, without values equal to a default and never with values the server rejects. */
  onChange: (settings: Settings) => void;
  /** No message sent yet: a preset or a new chat. */
  isNewChat?: boolean;
  /** The agent's settings, or all others; by default both. */
  part?: 'agent' | 'others';
}

export function ParamFields({
  type,
  model,
  agentModels,
  settings,
  onChange,
  isNewChat = false,
  part,
}: ParamFieldsProps) {
  const { t } = useTranslation();
  const params = endpointParams(type, model);
  const fitting = fitToModel(params, settings);
  const shown = shownParams({ type, model, settings, isNewChat }).filter(([, { kind }]) => {
    return kind === 'agent' ? agentModels !== null && part !== 'others' : part !== 'agent';
  });
  if (shown.length === 0) return <p className={classes.none}>{t('com_params_none')}</p>;
  return (
    <div className={classes.fields}>
      {shown.map(([name, param]) => (
        <ParamField
          key={name}
          type={type}
          name={name}
          param={param}
          agentModels={agentModels ?? []}
          value={fitting[name]}
          isOff={isOffWithTools(type, name, settings)}
          onChange={(value) => onChange(withSetting(params, fitting, name, value))}
        />
      ))}
    </div>
  );
}

interface ParamFieldProps {
  type: EndpointType;
  name: string;
  param: Param;
  agentModels: readonly string[];
  value: SettingValue | undefined;
  isOff: boolean;
  onChange: (value: SettingValue | undefined) => void;
}

function ParamField({ type, name, param, agentModels, ...rest }: ParamFieldProps) {
  const { t } = useTranslation();
  const field = { ...rest, words: paramLabels(type, name, param, t) };
  switch (param.kind) {
    case 'slider':
      return <SliderField param={param} {...field} />;
    case 'toggle':
      return <SwitchField param={param} {...field} />;
    case 'choice': {
      if (param.isScale) return <StepsField param={param} {...field} />;
      const testId = name === 'toneStyle' ? 'bing-select-dropdown' : undefined;
      return <ChoiceField param={param} {...field} testId={testId} />;
    }
    case 'tags':
      return <TagsField param={param} {...field} />;
    case 'text': {
      const { value } = field;
      const isCounted = type === 'bingAI' && name === 'context';
      const note = isCounted && <ContextTokens text={typeof value === 'string' ? value : ''} />;
      return <TextField param={param} {...field} note={note} />;
    }
    case 'examples':
      return <ExamplesField param={param} {...field} />;
    case 'tools':
      return null;
    case 'agent':
      return <AgentField param={param} models={agentModels} {...field} />;
    default:
      return param satisfies never;
  }
}
