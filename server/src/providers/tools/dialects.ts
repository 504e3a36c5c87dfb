// What each protocol accepts of tools. docs/tool-schemas.md has the same table with its sources.

export interface ToolDialect {
  /** The names of tools. What the registry gives is `^[A-Za-z0-9_-]{1,64}$` already. */
  toolName: RegExp;
  /** The names of a tool's arguments, and of what is inside of them. */
  propertyName: RegExp;
  /** In characters. */
  descriptionMax: number;
  /** How many tools are offered at once. */
  toolsMax: number;
  /** `single`: no lists of types, as some compatible servers read a schema into records. */
  types: 'lists' | 'single';
  /** The keywords of a schema that are sent; null for all that JSON Schema has. */
  keywords: ReadonlySet<string> | null;
  /** The values of `format` that are sent; null for all. */
  formats: ReadonlySet<string> | null;
  /** What may stand beside `anyOf`. */
  besideAnyOf: 'all' | 'words' | 'nothing';
  /** Whether an object may say that it has no properties, and a list of values have an empty text in it. */
  takesEmpty: boolean;
}

const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;
/** Anthropic's own pattern, from its refusal. */
const PLAIN_PROPERTY = /^[A-Za-z0-9_.-]{1,64}$/;

const openAI: ToolDialect = {
  toolName: TOOL_NAME,
  // It accepts any name; invisible characters are for nobody.
  propertyName: /^[^\p{C}]{1,256}$/u,
  descriptionMax: 1024,
  toolsMax: 128,
  types: 'lists',
  keywords: null,
  formats: null,
  besideAnyOf: 'all',
  takesEmpty: true,
};

export const toolDialects = {
  /** OpenAI and Azure, by chat completions and Responses. */
  openAI,
  anthropic: { ...openAI, propertyName: PLAIN_PROPERTY, descriptionMax: 4096 },
  /** Gemini and Vertex, by `parametersJsonSchema`. */
  google: {
    toolName: /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/,
    propertyName: /^[A-Za-z_][A-Za-z0-9_]{0,63}$/,
    descriptionMax: 4096,
    toolsMax: 128,
    types: 'single',
    keywords: new Set([
      'type',
      'format',
      'title',
      'description',
      'enum',
      'items',
      'minItems',
      'maxItems',
      'minimum',
      'maximum',
      'anyOf',
      'properties',
      'additionalProperties',
      'required',
    ]),
    formats: new Set(['date-time', 'date', 'time']),
    besideAnyOf: 'nothing',
    takesEmpty: false,
  },
  /** All others that speak chat completions: whatever stands behind them is unknown, so the narrowest of everything. */
  compatible: { ...openAI, propertyName: PLAIN_PROPERTY, types: 'single', besideAnyOf: 'words' },
} satisfies Record<string, ToolDialect>;
