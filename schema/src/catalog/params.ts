// The kinds of model parameters as plain data, from which panels, defaults and checks derive.

export type Param =
  | {
      kind: 'slider';
      min: number;
      max: number;
      step: number;
      default: number;
      /** A value above the maximum is lowered to it instead of refused: another model may have a lower maximum. */
      isCapped?: true;
    }
  | { kind: 'toggle'; default: boolean }
  | {
      kind: 'tags';
      max: number;
      /** The fewest entries once there are any; absent: no minimum. */
      min?: number;
      default: readonly string[];
    }
  | {
      kind: 'choice';
      options: readonly string[];
      default: string;
      /** Its options are ordered, from little to much. */
      isScale?: true;
    }
  | { kind: 'text'; max: number; default: null }
  | { kind: 'examples'; default: readonly Example[] }
  /** Keys of chosen tools. They have a menu of their own and are not among the fields of the parameters. */
  | { kind: 'tools'; default: readonly string[] }
  /** How an endpoint uses its tools. */
  | { kind: 'agent'; default: Readonly<AgentOptions> };

export interface Example {
  input: { content: string };
  output: { content: string };
}

/** How the plugins endpoint uses its tools. */
export interface AgentOptions {
  /** `functions` are calls of the provider's protocol; `classic` reads calls from the text of the reply. */
  agent: 'functions' | 'classic';
  /** The agent's answer is the reply. Otherwise the model of the conversation writes the reply from it. */
  skipCompletion: boolean;
  /** Asked while tools are used; the conversation's own where this one is not offered. */
  model: string;
  temperature: number;
}

/** The longest tag, in characters. */
export const TAG_MAX = 256;
export const EXAMPLES_MAX = 100;
/** The most tools that one conversation may choose. */
export const CHOSEN_TOOLS_MAX = 64;
/** The longest key of a tool, in characters. */
export const TOOL_KEY_MAX = 128;
/** The longest side of an example, in characters. */
export const EXAMPLE_MAX = 32_768;

export type Params = Readonly<Record<string, Param>>;

/** The same parameters in order, with some changed or, where null is given, removed. */
export function withParams(params: Params, changes: Readonly<Record<string, Param | null>>): Params {
  const changed = Object.entries({ ...params, ...changes });
  return Object.fromEntries(changed.filter((entry): entry is [string, Param] => entry[1] !== null));
}

/** A user's settings of a conversation or preset; defaults are left out. */
export type Settings = Record<string, SettingValue>;
export type SettingValue = number | boolean | string | null | string[] | Example[] | AgentOptions;

export function slider(min: number, max: number, step: number, value: number): Param {
  return { kind: 'slider', min, max, step, default: value };
}

/** A slider whose maximum depends on the model. */
export function capped(min: number, max: number, step: number, value: number): Param {
  return { kind: 'slider', min, max, step, default: value, isCapped: true };
}

export function toggle(value: boolean): Param {
  return { kind: 'toggle', default: value };
}

export function tags(max: number): Param {
  return { kind: 'tags', max, default: [] };
}

export function choice(options: readonly string[], value: string): Param {
  return { kind: 'choice', options, default: value };
}

/** A choice with ordered options, from little to much. */
export function scale(options: readonly string[], value: string): Param {
  return { kind: 'choice', options, default: value, isScale: true };
}

/** `max` is in characters. */
export function text(max: number): Param {
  return { kind: 'text', max, default: null };
}

/** The tools that a conversation uses: none unless some are chosen. */
export function chosenTools(): Param {
  return { kind: 'tools', default: [] };
}

/** Of a conversation that has not chosen others. */
export const AGENT_DEFAULTS: Readonly<AgentOptions> = {
  agent: 'functions',
  skipCompletion: true,
  model: 'gpt-3.5-turbo',
  temperature: 0,
};

export function agent(): Param {
  return { kind: 'agent', default: AGENT_DEFAULTS };
}

export function examples(): Param {
  return { kind: 'examples', default: [] };
}

/** Whether a value equals the default, so that it is not stored or sent. */
export function isDefault(param: Param, value: SettingValue): boolean {
  if (param.kind === 'text') return value === '';
  // The parts of both stand in the same order.
  if (param.kind === 'agent') return JSON.stringify(value) === JSON.stringify(param.default);
  return Array.isArray(value) ? value.length === 0 : value === param.default;
}
