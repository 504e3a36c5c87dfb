// The endpoint table: what server and browser both need for each endpoint type. Settings, panels, bounds, preset
// validation, senders, key forms and charging derive from these rows. What only the server needs is in the provider's
// definition (`server/src/providers/`).
import { hasKey } from '../entries.ts';
import { claudeParams } from './claude.ts';
import { isJailbroken } from './jailbreak.ts';
import { byName, modelFamily } from './model-names.ts';
import {
  agent,
  capped,
  choice,
  chosenTools,
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
import { openAIParams } from './reasoning-models.ts';

export type EndpointType = keyof typeof endpointTable;

export interface EndpointRow {
  /** Shown where the endpoint has no name of its own. */
  label: string;
  defaultModel: string;
  /** What users may do with its messages. */
  can: { edit: boolean; regenerate: boolean; continue: boolean; attach: boolean };
  params: Params;
  /** The parameters as one model accepts them; absent when all models accept the same. */
  paramsFor?(params: Params, model: string): Params;
  /** The same, remembered. */
  paramsOfModel?: (model: string) => Params;
  /** The form for a user's own key (docs/rest-compat.md, Keys of users). */
  keyForm: 'openAI' | 'azure' | 'google' | 'key' | 'token';
  /** Where the operator sets the server's own key: a variable or a file. */
  keySetting: string;
  /** Whether answers are charged to balances, where these are checked (docs/rest-compat.md, Token prices). */
  isOfBalance: boolean;
  /** Whether answers have a price, which counts for budgets, limits of keys and Usage; some providers meter nothing. */
  isPriced: boolean;
  /**
   * Whether the provider requires questions to pass OpenAI's moderation (docs/rest-compat.md, Streaming: ask, edit,
   * abort).
   */
  isModerated?: boolean;
  /** Whether the provider keeps conversations itself, under its own ids. */
  keepsThread?: boolean;
  /** Whether the provider counts the longest possible answer as part of the context window, used or not. */
  reservesLongestReply?: boolean;
  /** The sender of a reply without a custom label; the model's family or the endpoint's label when absent. */
  sender?(chat: SenderFacts): string;
}

export interface SenderFacts {
  model: string;
  settings: Settings;
  /** Set for endpoints of the yaml file. */
  modelDisplayLabel: string | undefined;
}

const NAME_MAX = 256;
/** The longest instructions of an assistant, in characters; also the limit of every prompt prefix. */
const PROMPT_MAX = 32_768;

const prompt = { promptPrefix: text(PROMPT_MAX) };
/** Reasoning effort; `endpointParams` knows which models accept it, and how. */
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
const tools = { tools: chosenTools() };
/** Whether PDFs are sent as files, to models that accept them, and not as text. */
const pdfAsFile = { pdfAsFile: toggle(false) };
const all = { edit: true, regenerate: true, continue: true, attach: true };

export const endpointTable = {
  openAI: defineEndpoint({
    label: 'OpenAI',
    defaultModel: 'gpt-3.5-turbo',
    can: all,
    params: { ...chatParams, ...pdfAsFile, ...tools },
    paramsFor: openAIParams,
    keyForm: 'openAI',
    keySetting: 'OPENAI_API_KEY',
    isOfBalance: true,
    isPriced: true,
    isModerated: true,
  }),
  assistants: defineEndpoint({
    label: 'Assistants',
    defaultModel: 'gpt-4',
    can: { edit: false, regenerate: false, continue: true, attach: true },
    // The assistant is chosen beside the parameters, so no panel draws it.
    params: { ...prompt, instructions: text(PROMPT_MAX), assistant_id: text(NAME_MAX), ...tools },
    keyForm: 'openAI',
    keySetting: 'ASSISTANTS_API_KEY',
    isOfBalance: true,
    isPriced: true,
    // The name of the assistant.
    sender: ({ modelDisplayLabel }) => modelDisplayLabel ?? 'Assistant',
  }),
  azureOpenAI: defineEndpoint({
    label: 'Azure OpenAI',
    defaultModel: 'gpt-3.5-turbo',
    can: all,
    params: { ...chatParams, ...tools },
    paramsFor: openAIParams,
    keyForm: 'azure',
    keySetting: 'AZURE_API_KEY',
    isOfBalance: true,
    isPriced: true,
    isModerated: true,
  }),
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
      // Of the bison family.
      maxOutputTokens: capped(1, 2048, 1, 1024),
      examples: examples(),
      ...pdfAsFile,
      ...tools,
    },
    paramsFor: (params, model) =>
      model.includes('gemini')
        ? withParams(params, { maxOutputTokens: capped(1, 8192, 1, 8192) })
        : withParams(params, { pdfAsFile: null, tools: null }),
    keyForm: 'google',
    keySetting: 'GOOGLE_KEY',
    isOfBalance: false,
    isPriced: true,
    sender: ({ model }) => (model.includes('gemini') ? 'Gemini' : model.includes('code') ? 'Codey' : 'PaLM2'),
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
    paramsFor: (params, model) => (model === 'Sydney' ? withParams(params, { jailbreak: toggle(true) }) : params),
    keyForm: 'token',
    keySetting: 'BINGAI_TOKEN',
    isOfBalance: false,
    isPriced: false,
    keepsThread: true,
    sender: (chat) => (isJailbroken(chat) ? 'Sydney' : 'BingAI'),
  }),
  chatGPTBrowser: defineEndpoint({
    label: 'ChatGPT',
    defaultModel: 'text-davinci-002-render-sha',
    can: { edit: true, regenerate: true, continue: false, attach: false },
    params: {},
    keyForm: 'token',
    keySetting: 'CHATGPT_TOKEN',
    isOfBalance: false,
    isPriced: false,
    keepsThread: true,
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
      ...tools,
      agentOptions: agent(),
    },
    keyForm: 'openAI',
    keySetting: 'OPENAI_API_KEY',
    isOfBalance: true,
    isPriced: true,
    isModerated: true,
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
      ...pdfAsFile,
      ...tools,
    },
    paramsFor: claudeParams,
    keyForm: 'key',
    keySetting: 'ANTHROPIC_API_KEY',
    isOfBalance: true,
    isPriced: true,
    reservesLongestReply: true,
    sender: () => 'Claude',
  }),
  custom: defineEndpoint({
    label: 'Custom',
    defaultModel: 'gpt-3.5-turbo',
    can: all,
    params: { ...chatParams, ...tools },
    paramsFor: openAIParams,
    keyForm: 'openAI',
    keySetting: 'parley.yaml',
    isOfBalance: true,
    isPriced: true,
    sender: ({ model, modelDisplayLabel }) => modelFamily(model) ?? modelDisplayLabel ?? 'AI',
  }),
} as const;

export function defineEndpoint<const P extends Params>(row: EndpointRow & { params: P }): EndpointRow & { params: P } {
  const { params, paramsFor } = row;
  return paramsFor ? { ...row, paramsOfModel: byName((model) => paramsFor(params, model)) } : row;
}

/**
 * The parameters of an endpoint type for one model: newer models allow longer answers or reasoning, and refuse some
 * earlier parameters.
 */
export function endpointParams(type: EndpointType, model: string | null): Params {
  const { params, paramsOfModel }: EndpointRow = endpointTable[type];
  return paramsOfModel?.(model ?? '') ?? params;
}

/** An endpoint of any other name is one of the configuration. */
export function endpointTypeNamed(name: string): EndpointType {
  return hasKey(endpointTable, name) ? name : 'custom';
}

/** Whether a model of this endpoint type may be offered tools. */
export function takesTools(type: EndpointType, model: string | null): boolean {
  return endpointParams(type, model).tools?.kind === 'tools' && !/instruct|davinci/.test(model ?? '');
}

/** Fills in the defaults of absent settings; texts, which have none, stay absent. */
export function withDefaults(params: Params, settings: Settings): Settings {
  const defaults = Object.entries(params).flatMap(([name, param]) =>
    param.default === null || typeof param.default === 'object' ? [] : [[name, param.default]],
  );
  return { ...Object.fromEntries(defaults), ...settings };
}
