// One panel for every endpoint, generated from the parameter table: a field for each parameter.
import { endpointParams, type EndpointType } from '@parley/schema/catalog/endpoints';
import { fitToModel, withSetting } from '@parley/schema/settings/fit-settings';
import type { Param, Settings, SettingValue } from '@parley/schema/catalog/params';
import { useTranslation } from 'react-i18next';
import { AgentField } from './agent-field.tsx';
import { ExamplesField } from './examples-field.tsx';
import { paramLabels, optionName } from './param-labels.ts';
import classes from './params.module.css';
import { isOffWithTools, shownParams } from './shown-params.ts';
import { SliderField } from './slider-field.tsx';
import { SwitchField } from './switch-field.tsx';
import { TagsField } from './tags-field.tsx';
import '@mantine/core/styles/FloatingIndicator.css';
import '@mantine/core/styles/SegmentedControl.css';
import { SegmentedControl } from '@mantine/core';
import { FieldFrame, type FieldProps } from './field-frame.tsx';
import { type ReactNode, useEffect, useState } from 'react';
import { TextBox } from './text-box.tsx';
import { asFields } from '@parley/schema/json';
import { requestHeaders, session } from '../session/current-session.ts';

/** Milliseconds from the last key press to the request. */
const ASK_AFTER_MS = 250;

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
  if (shown.length === 0) return <p className="hint">{t('com_params_none')}</p>;
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

interface ChoiceFieldProps extends FieldProps<'choice'> {
  testId?: string | undefined;
}

/** A parameter with a few options side by side. */
function ChoiceField({ param, words, value, isOff, testId, onChange }: ChoiceFieldProps) {
  const { t } = useTranslation();
  const chosen = typeof value === 'string' ? value : param.default;
  return (
    <FieldFrame words={words} isChanged={chosen !== param.default} isOff={isOff} onReset={() => onChange(undefined)}>
      {({ label }) => (
        <SegmentedControl
          className={classes.choice}
          fullWidth
          withItemsBorders={false}
          size="xs"
          aria-labelledby={label}
          data-testid={testId}
          disabled={isOff}
          data={param.options.map((option) => ({ value: option, label: optionName(option, t) }))}
          value={chosen}
          onChange={onChange}
        />
      )}
    </FieldFrame>
  );
}

/** The approximate number of context tokens that Bing accepts. */
const CONTEXT_TOKENS = 7_000;

/** The share of Bing's context that a text uses. */
function ContextTokens({ text }: { text: string }) {
  const { t, i18n } = useTranslation();
  const count = useTokenCount(text) ?? 0;
  const most = CONTEXT_TOKENS.toLocaleString(i18n.language);
  const shown = text === '' ? 0 : count;
  return (
    <>
      <p className={classes.count}>
        {t('com_params_context_tokens', { 0: shown.toLocaleString(i18n.language), 1: most })}
      </p>
      <p className={classes.warning} role="status">
        {shown > CONTEXT_TOKENS && t('com_params_context_over', { 0: most })}
      </p>
    </>
  );
}

/** A few ordered options, as a slider with one step each. */
function StepsField({ param, words, value, isOff, onChange }: FieldProps<'choice'>) {
  const { t } = useTranslation();
  const chosen = typeof value === 'string' ? value : param.default;
  const reset = () => onChange(undefined);
  return (
    <FieldFrame words={words} isChanged={chosen !== param.default} isOff={isOff} onReset={reset}>
      {({ help }) => (
        <>
          <input
            className={classes.range}
            type="range"
            min={0}
            max={param.options.length - 1}
            step={1}
            aria-label={words.label}
            aria-valuetext={optionName(chosen, t)}
            aria-describedby={help}
            disabled={isOff}
            value={param.options.indexOf(chosen)}
            onChange={(event) => onChange(param.options[event.currentTarget.valueAsNumber])}
            onDoubleClick={reset}
          />
          <div className={classes.steps} aria-hidden>
            {param.options.map((option) => (
              <span key={option} data-chosen={option === chosen || undefined}>
                {optionName(option, t)}
              </span>
            ))}
          </div>
        </>
      )}
    </FieldFrame>
  );
}

interface TextFieldProps extends FieldProps<'text'> {
  /** Rendered below the box. */
  note?: ReactNode;
}

function TextField({ param, words, value, isOff, onChange, note }: TextFieldProps) {
  const text = typeof value === 'string' ? value : '';
  return (
    <FieldFrame words={words} isChanged={text !== ''} isOff={isOff} onReset={() => onChange(undefined)}>
      {({ help }) => (
        <>
          <TextBox
            label={words.label}
            value={text}
            max={param.max}
            placeholder={words.placeholder}
            describedBy={help}
            isOff={isOff}
            onChange={onChange}
          />
          {note}
        </>
      )}
    </FieldFrame>
  );
}

/** The latest count, which may be of a slightly older text; null without one. */
function useTokenCount(text: string): number | null {
  const [count, setCount] = useState<number | null>(null);
  useEffect(() => {
    if (text === '') return;
    const ending = new AbortController();
    const timer = setTimeout(() => {
      countTokens(text, ending.signal).then(setCount, () => {});
    }, ASK_AFTER_MS);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [text]);
  return count;
}

/** A separate POST: the text may exceed the maximum URL length, and no other call waits for it in a batch. */
async function countTokens(text: string, signal: AbortSignal): Promise<number | null> {
  const response = await fetch('/api/tokenizer', {
    method: 'POST',
    headers: { ...requestHeaders(session.get().token), 'content-type': 'application/json' },
    body: JSON.stringify({ arg: text }),
    signal,
  });
  if (!response.ok) return null;
  const { count } = asFields(await response.json());
  return typeof count === 'number' ? count : null;
}
