// The endpoint table: what each kind is called, what it can do and which parameters it takes, with every range, step
// and default of the product's specification. Settings, panels, bounds and preset clean-up are made from these rows.
import { claudeParams } from './claude.ts';
import {
  capped,
  choice,
  examples,
  scale,
  slider,
  tags,
  text,
  toggle,
  withParams,
  type Params,
  type Settings,
} from './params.ts';
import { openAIParams } from './thinking-models.ts';

export type EndpointType = keyof typeof endpointTable;

export interface EndpointRow {
  /** Shown where the endpoint has no name of its own. */
  label: string;
  defaultModel: string;
  /** What a person may do with its messages. */
  can: { edit: boolean; regenerate: boolean; continue: boolean; attach: boolean };
  params: Params;
}

const NAME_MAX = 256;
/** The longest instructions an assistant takes; the same bound serves every prompt prefix. */
const PROMPT_MAX = 32_768;

const prompt = { promptPrefix: text(PROMPT_MAX) };
/** How hard a model thinks; `paramsOf` knows which can be told, and how. */
const effort = { reasoning_effort: scale(['auto', 'low', 'medium', 'high'], 'auto') };
const chatParams = {
  chatGptLabel: text(NAME_MAX),
  ...prompt,
  stop: tags(4),
  temperature: slider(0, 2, 0.01, 1),
  top_p: slider(0, 1, 0.01, 1),
  frequency_penalty: slider(-2, 2, 0.01, 0),
  presence_penalty: slider(-2, 2, 0.01, 0),
  ...effort,
  resendFiles: toggle(true),
  imageDetail: scale(['low', 'auto', 'high'], 'auto'),
};
const all = { edit: true, regenerate: true, continue: true, attach: true };

export const endpointTable = {
  openAI: defineEndpoint({ label: 'OpenAI', defaultModel: 'gpt-3.5-turbo', can: all, params: chatParams }),
  assistants: defineEndpoint({
    label: 'Assistants',
    defaultModel: 'gpt-4',
    can: { edit: false, regenerate: false, continue: true, attach: true },
    params: { ...prompt, instructions: text(PROMPT_MAX) },
  }),
  azureOpenAI: defineEndpoint({ label: 'Azure OpenAI', defaultModel: 'gpt-3.5-turbo', can: all, params: chatParams }),
  google: defineEndpoint({
    label: 'Google',
    defaultModel: 'chat-bison',
    can: all,
    params: {
      modelLabel: text(NAME_MAX),
      ...prompt,
      temperature: slider(0, 1, 0.01, 0.2),
      topP: slider(0, 1, 0.01, 0.8),
      topK: slider(1, 40, 1, 40),
      // Of the bison family; `paramsOf` knows Gemini's.
      maxOutputTokens: capped(1, 2048, 1, 1024),
      examples: examples(),
    },
  }),
  bingAI: defineEndpoint({
    label: 'Bing',
    defaultModel: 'BingAI',
    can: { edit: true, regenerate: true, continue: false, attach: false },
    params: {
      toneStyle: choice(['creative', 'fast', 'balanced', 'precise'], 'creative'),
      context: text(PROMPT_MAX),
      systemMessage: text(PROMPT_MAX),
      jailbreak: toggle(false),
    },
  }),
  chatGPTBrowser: defineEndpoint({
    label: 'ChatGPT',
    defaultModel: 'text-davinci-002-render-sha',
    can: { edit: true, regenerate: true, continue: false, attach: false },
    params: {},
  }),
  gptPlugins: defineEndpoint({
    label: 'Plugins',
    defaultModel: 'gpt-3.5-turbo',
    can: { edit: true, regenerate: true, continue: true, attach: false },
    params: {
      chatGptLabel: text(NAME_MAX),
      ...prompt,
      temperature: slider(0, 2, 0.01, 0.8),
      top_p: slider(0, 1, 0.01, 1),
      frequency_penalty: slider(-2, 2, 0.01, 0),
      presence_penalty: slider(-2, 2, 0.01, 0),
    },
  }),
  anthropic: defineEndpoint({
    label: 'Anthropic',
    defaultModel: 'claude-1',
    can: all,
    params: {
      modelLabel: text(NAME_MAX),
      ...prompt,
      temperature: slider(0, 1, 0.01, 1),
      topP: slider(0, 1, 0.01, 0.7),
      topK: slider(1, 40, 1, 5),
      maxOutputTokens: slider(1, 4000, 1, 4000),
      thinkingBudget: capped(0, 32_768, 1024, 0),
      ...effort,
      resendFiles: toggle(true),
    },
  }),
  custom: defineEndpoint({ label: 'Custom', defaultModel: 'gpt-3.5-turbo', can: all, params: chatParams }),
} as const;

function defineEndpoint<const P extends Params>(row: EndpointRow & { params: P }): EndpointRow & { params: P } {
  return row;
}

/**
 * The parameters an endpoint type takes for one model: later ones may answer at greater length or think, and refuse some
 * of what was before them.
 */
export function paramsOf(type: EndpointType, model: string | null): Params {
  const params: Params = endpointTable[type].params;
  const name = model ?? '';
  switch (type) {
    case 'google':
      return name.includes('gemini') ? withParams(params, { maxOutputTokens: capped(1, 8192, 1, 8192) }) : params;
    case 'anthropic':
      return claudeParams(params, name);
    case 'openAI':
    case 'azureOpenAI':
    case 'custom':
      return openAIParams(params, name);
    default:
      return params;
  }
}

/** Settings with the defaults of what was left out; texts, which have none, stay absent. */
export function withDefaults(params: Params, settings: Settings): Settings {
  const defaults = Object.entries(params).flatMap(([name, param]) =>
    param.default === null || Array.isArray(param.default) ? [] : [[name, param.default]],
  );
  return { ...Object.fromEntries(defaults), ...settings };
}
