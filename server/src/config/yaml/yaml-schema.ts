import { PICTURE_PRICE_MAX, PRICE_MAX } from '@parley/schema/catalog/prices';
import { SIGN_IN_SITE_NAMES } from '@parley/schema/catalog/sign-in-sites';
import { recordBy } from '@parley/schema/entries';
import { STORE_SOURCES } from '@parley/schema/files/stored-file';
import * as z from 'zod';
import { USER_PROVIDED, isHttpUrl, isLinkTarget } from '../addresses.ts';

// Schema of the yaml file, configuration version 1.0.7, including keys of planned features. Every map is strict.
// Messages complete a sentence that begins with the key, see yaml-sentence.ts. Defaults belong to the part of the
// configuration that uses the value.

const text = z.string('must be text').min(1, 'must not be empty');
const flag = z.boolean('must be true or false');
const number = z.number('must be a number');
const amount = number.min(0, 'must not be negative');
const count = number.int('must be a whole number').min(1, 'must be at least 1');
const record = z.record(z.string(), z.unknown(), 'must be a map');
const provider = text.refine(
  (value) => value === USER_PROVIDED || isHttpUrl(value),
  `must be an http(s) address or ${USER_PROVIDED}`,
);
const link = text.refine(isLinkTarget, 'must be an http(s) address or a path that begins with one /');
const credential = text.regex(/^[\x21-\x7e]+$/, 'must be one word of visible ASCII characters');
const domain = text.regex(/^[^\s@/:]+\.[^\s@/:]+$/, 'must be a domain such as example.com');
/** A part of a path. */
const deployment = text.refine((value) => !['.', '..'].includes(value), 'must be a name');
const hostPart = text.regex(/^[a-z\d-]+$/i, 'must be letters, digits and -');
const headers = z
  .record(z.string(), z.string('must be text').regex(/^[\t\x20-\x7e]*$/, 'must be one line of ASCII characters'), {
    error: 'must be a map of header names and texts',
  })
  .refine((map) => Object.keys(map).every((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name)), {
    error: 'must have valid HTTP header names',
  });

const titles = {
  titleConvo: flag.optional(),
  titleMethod: word('completion', 'functions').optional(),
  titleModel: text.optional(),
};
const summaries = { summarize: flag.optional(), summaryModel: text.optional() };
const requestChanges = { addParams: record.optional(), dropParams: list(text, 'parameter names').optional() };
/** A name, or since configuration 1.3 a map of it and a description, which has no effect. */
const modelName = z.union([text, strict({ name: text }).transform(({ name }) => name)], 'must be a model name');
const models = strict({
  default: someOf(modelName, 'model name'),
  fetch: flag.optional(),
  userIdQuery: flag.optional(),
});

const custom = strict({
  name: text.max(64, 'must not be longer than 64 characters'),
  apiKey: credential,
  baseURL: provider,
  models,
  ...titles,
  ...summaries,
  ...requestChanges,
  forcePrompt: flag.optional(),
  modelDisplayLabel: text.optional(),
  iconURL: text.optional(),
  headers: headers.optional(),
  images: z.union([flag, someOf(text, 'model name')], 'must be true, false or a list of model names').optional(),
  customOrder: number.optional(),
});

const assistants = strict({
  disableBuilder: flag.optional(),
  timeoutMs: count.optional(),
  supportedIds: someOf(text, 'assistant id').optional(),
  excludedIds: someOf(text, 'assistant id').optional(),
  retrievalModels: someOf(text, 'model name').optional(),
  capabilities: list(
    word('code_interpreter', 'image_vision', 'retrieval', 'actions', 'tools'),
    'capabilities',
  ).optional(),
  apiKey: credential.optional(),
  baseURL: provider.optional(),
  models: models.optional(),
  ...titles,
  headers: headers.optional(),
});

const azureModel = z.union(
  [
    z.literal(true),
    strict({ deploymentName: deployment.optional(), version: text.optional(), assistants: flag.optional() }),
  ],
  'must be true or a map of deploymentName and version',
);

const azureGroup = strict({
  group: text,
  apiKey: credential,
  instanceName: hostPart.optional(),
  deploymentName: deployment.optional(),
  version: text.optional(),
  // Placeholders may replace the host name.
  baseURL: text.refine((value) => isHttpUrl(value.replace(/\$\{\w+\}/g, 'x')), 'must be an http(s) address').optional(),
  serverless: flag.optional(),
  assistants: flag.optional(),
  additionalHeaders: headers.optional(),
  ...requestChanges,
  forcePrompt: flag.optional(),
  models: z
    .record(z.string(), azureModel, 'must be a map of model names')
    .refine((map) => Object.keys(map).length > 0, 'must have at least one model'),
});

const azureOpenAI = strict({
  groups: someOf(azureGroup, 'group'),
  plugins: flag.optional(),
  assistants: flag.optional(),
  ...titles,
  ...summaries,
  customOrder: number.optional(),
});

const externalLink = strict({ externalUrl: link.optional(), openNewTab: flag.optional() });

/** Whether people may do something, or what of it. */
const permission = <What extends 'create' | 'share' | 'public'>(...what: What[]) => {
  const parts = recordBy(what, () => flag.optional());
  const names = ['use', ...what].join(', ');
  return z.union([flag, strict({ use: flag.optional(), ...parts })], `must be true, false, or a map of ${names}`);
};

const endpointFiles = strict({
  disabled: flag.optional(),
  fileLimit: amount.int('must be a whole number').optional(),
  fileSizeLimit: amount.optional(),
  totalSizeLimit: amount.optional(),
  supportedMimeTypes: list(text.refine(isPattern, 'must be a regular expression'), 'regular expressions').optional(),
});

const toolFilter = {
  includedTools: list(text, 'tool names').optional(),
  filteredTools: list(text, 'tool names').optional(),
};

const mcpServer = strict({
  ...toolFilter,
  url: text.refine(isHttpUrl, 'must be an http(s) address').optional(),
  command: text.optional(),
  args: list(z.string('must be text'), 'arguments').optional(),
  env: z.record(z.string(), z.string('must be text'), 'must be a map of variables').optional(),
  headers: headers.optional(),
  auth: word('none', 'header', 'oauth').optional(),
  timeout: count.max(600_000, 'must not be more than 600000').optional(),
  trusted: flag.optional(),
})
  .refine(({ url, command }) => (url === undefined) !== (command === undefined), 'must have either url or command')
  .refine(
    ({ url, headers: sent, auth = 'none' }) => url !== undefined || (sent === undefined && auth === 'none'),
    'must have a url for headers and auth',
  )
  .refine(({ command, args, env }) => command !== undefined || (args ?? env) === undefined, {
    error: 'must have a command for args and env',
  })
  .refine(({ auth, headers: sent }) => auth !== 'header' || sent !== undefined, 'must have headers for auth: header');

const mcpServers = z
  .record(z.string(), mcpServer, 'must be a map of server names')
  .refine((map) => Object.keys(map).every((name) => /^[\w-]{1,32}$/.test(name)), {
    error: 'must have names of up to 32 letters, digits, _ and -',
  });

const modelSpec = strict({
  name: text.max(256, 'must not be longer than 256 characters'),
  label: text.optional(),
  description: text.optional(),
  iconURL: text.optional(),
  group: text.optional(),
  order: number.optional(),
  default: flag.optional(),
  softDefault: flag.optional(),
  preset: z.looseObject({ endpoint: text, model: text.nullish() }, 'must be a map with an endpoint and its settings'),
});

const modelSpecs = strict({
  enforce: flag.optional(),
  prioritize: flag.optional(),
  addedEndpoints: list(text, 'endpoint names').optional(),
  list: someOf(modelSpec, 'model spec'),
});

/** Local servers have no address or key of OpenAI's: older files leave these empty. */
const address = z
  .string('must be text')
  .refine((value) => value === '' || isHttpUrl(value), 'must be an http(s) address');
const key = z.string('must be text').regex(/^[\x21-\x7e]*$/, 'must be one word of visible ASCII characters');
const voices = list(text, 'voices').optional();

const speechService = { url: address.optional(), apiKey: key.optional() };
const speechAtAzure = {
  instanceName: hostPart,
  apiKey: credential,
  deploymentName: deployment,
  apiVersion: text,
  model: text.optional(),
};

const speech = strict({
  stt: strict({
    openai: strict({ ...speechService, model: text.optional() }).optional(),
    azureOpenAI: strict(speechAtAzure).optional(),
  }).optional(),
  tts: strict({
    openai: strict({ ...speechService, model: text.optional(), voices }).optional(),
    azureOpenAI: strict({ ...speechAtAzure, voices }).optional(),
    elevenlabs: strict({
      ...speechService,
      apiKey: credential,
      model: text.optional(),
      voices,
      voice_settings: record.optional(),
      pronunciation_dictionary_locators: list(record, 'dictionaries').optional(),
    }).optional(),
    localai: strict({
      ...speechService,
      url: text.refine(isHttpUrl, 'must be an http(s) address'),
      voices,
      backend: text.optional(),
    }).optional(),
  }).optional(),
  speechTab: record.optional(),
});

/** In US dollars for a million tokens. */
const dollars = amount.max(PRICE_MAX, `must not be more than ${PRICE_MAX} US dollars for a million tokens`);

const pictureDollars = amount.max(PICTURE_PRICE_MAX, `must not be more than ${PICTURE_PRICE_MAX} US dollars a picture`);
const bySize = z.tuple([pictureDollars, pictureDollars], 'must be two prices: of a square picture and of any other');

const price = strict({
  input: dollars,
  cachedRead: dollars.optional(),
  cachedWrite: dollars.optional(),
  output: dollars,
  pictures: strict({ draft: bySize, fine: bySize }).optional(),
});

const prices = z.record(
  z.string(),
  z.record(z.string(), price, 'must be a map of model names, or *, and their prices'),
  'must be a map of providers',
);

export const yamlSchema = strict({
  version: z.string('must be text such as "1.0.7"').min(1, 'must not be empty'),
  imageOutputType: word('png', 'webp', 'jpeg').optional(),
  interface: strict({
    privacyPolicy: externalLink.optional(),
    termsOfService: externalLink.optional(),
    sharedLinks: permission('create', 'public').optional(),
    agents: permission('share').optional(),
    runCode: flag.optional(),
    webSearch: flag.optional(),
  }).optional(),
  balance: strict({ enabled: flag.optional() }).optional(),
  fileStrategy: word(...STORE_SOURCES).optional(),
  registration: strict({
    socialLogins: list(word(...SIGN_IN_SITE_NAMES), 'provider names').optional(),
    allowedDomains: list(domain, 'domains').optional(),
  }).optional(),
  modelSpecs: modelSpecs.optional(),
  prices: prices.optional(),
  speech: speech.optional(),
  actions: strict({ allowedDomains: list(domain, 'domains').optional() }).optional(),
  ...toolFilter,
  mcpServers: mcpServers.optional(),
  rateLimits: strict({
    fileUploads: strict({
      ipMax: count.optional(),
      ipWindowInMinutes: number.positive('must be more than 0').optional(),
      userMax: count.optional(),
      userWindowInMinutes: number.positive('must be more than 0').optional(),
    }).optional(),
  }).optional(),
  fileConfig: strict({
    endpoints: z.record(z.string(), endpointFiles, 'must be a map of endpoint names').optional(),
    serverFileSizeLimit: amount.optional(),
    avatarSizeLimit: amount.optional(),
  }).optional(),
  endpoints: strict({
    assistants: assistants.optional(),
    azureOpenAI: azureOpenAI.optional(),
    custom: list(custom, 'endpoints').optional(),
  })
    .refine((map) => Object.keys(map).length > 0, 'must have at least one of azureOpenAI, assistants, custom')
    .optional(),
});

export type YamlFile = z.output<typeof yamlSchema>;
/** The parsed file; every key is absent without a file. */
export type Yaml = Partial<YamlFile>;
export type AzureOpenAIYaml = z.output<typeof azureOpenAI>;
export type AssistantsYaml = z.output<typeof assistants>;
export type ModelSpecYaml = z.output<typeof modelSpec>;
export type SpeechYaml = z.output<typeof speech>;
export type CustomYaml = z.output<typeof custom>;

/** A map with only these keys; the error for an unknown key lists them. */
function strict<Shape extends z.ZodRawShape>(shape: Shape) {
  const keys = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? keys : `must be a map of ${keys}`),
  });
}

function list<Item extends z.ZodType>(item: Item, what: string) {
  return z.array(item, `must be a list of ${what}`);
}

function someOf<Item extends z.ZodType>(item: Item, what: string) {
  return list(item, `${what}s`).min(1, `must have at least one ${what}`);
}

function word<const Words extends readonly string[]>(...words: Words) {
  return z.enum(words, `must be one of ${words.join(', ')}`);
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source) instanceof RegExp;
  } catch {
    return false;
  }
}
