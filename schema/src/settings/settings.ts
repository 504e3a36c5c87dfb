// Validates settings that a client sends, against the endpoint table.
import * as z from 'zod';
import { cleanJson } from '../clean-text.ts';
import { endpointParams, type EndpointType } from '../catalog/endpoints.ts';
import { chatSwitches, CHAT_SWITCHES, isFilled } from './fit-settings.ts';
import {
  CHOSEN_TOOLS_MAX,
  EXAMPLE_MAX,
  EXAMPLES_MAX,
  isDefault,
  TAG_MAX,
  TOOL_KEY_MAX,
  type Param,
  type Settings,
} from '../catalog/params.ts';

/** Fields that REST clients store with any conversation and read back, and their lengths. Nothing depends on them. */
const KEPT_TEXTS: Readonly<Record<string, number>> = { iconURL: 2048, userLabel: 256 };
/** A wish of such clients that acts: images of earlier questions are not sent again. No parameter panel shows it. */
const RESEND_IMAGES = 'resendImages';
/** What a conversation may have beside the parameters of its endpoint. No provider knows these names. */
export const KEPT_FIELDS: readonly string[] = [...Object.keys(KEPT_TEXTS), RESEND_IMAGES, ...CHAT_SWITCHES];

/**
 * Validates settings for one endpoint type and returns them without defaults. Null and absent mean "the default".
 * Unknown names are dropped: clients send whole conversations back. `model` matters where its family has bounds of its
 * own.
 * @throws z.ZodError whose one issue is a sentence that names the parameter and its bounds
 */
export function parseSettings(
  type: EndpointType,
  input: Record<string, unknown>,
  model: string | null = null,
): Settings {
  const settings: Settings = {};
  for (const [name, param] of Object.entries(endpointParams(type, model))) {
    const value = input[name];
    if (value === undefined || value === null) continue;
    const parsed = parseSetting(name, param, value);
    if (!isDefault(param, parsed)) settings[name] = parsed;
  }
  for (const [name, max] of Object.entries(KEPT_TEXTS)) {
    const value = input[name];
    if (typeof value === 'string' && value !== '' && value.length <= max) settings[name] = cleanJson(value);
  }
  if (input[RESEND_IMAGES] === false) settings[RESEND_IMAGES] = false;
  return { ...settings, ...chatSwitches(input) };
}

/** The sentence names the parameter, so the issue has no path. */
function parseSetting(name: string, param: Param, value: unknown): Settings[string] {
  const { data, error } = schemaOf(name, param).safeParse(value);
  if (error) throw new z.ZodRealError(error.issues.slice(0, 1).map((issue) => ({ ...issue, path: [] })));
  return cleanJson(data);
}

function schemaOf(name: string, param: Param): z.ZodType<Settings[string]> {
  switch (param.kind) {
    case 'slider': {
      const isWhole = Number.isInteger(param.step);
      const error = `${name} must be a ${isWhole ? 'whole ' : ''}number from ${param.min} to ${param.max}`;
      const atLeast = z.number({ error }).min(param.min, { error });
      const number = param.isCapped
        ? atLeast.overwrite((value) => Math.min(value, param.max))
        : atLeast.max(param.max, { error });
      return isWhole ? number.int({ error }) : number;
    }
    case 'toggle':
      return z.boolean({ error: `${name} must be true or false` });
    case 'tags': {
      const error = `${name} must be a list of texts, each of 1 to ${TAG_MAX} characters`;
      return z
        .array(z.string({ error }).min(1, { error }).max(TAG_MAX, { error }), { error })
        .min(param.min ?? 0, { error: `${name} takes at least ${param.min} entries` })
        .max(param.max, { error: `${name} takes at most ${param.max} entries` });
    }
    case 'choice':
      return z.enum(param.options, { error: `${name} must be one of ${param.options.join(', ')}` });
    case 'text':
      return z
        .string({ error: `${name} must be a text` })
        .max(param.max, { error: `${name} takes at most ${param.max} characters` });
    case 'examples': {
      const error = `${name} must be a list of examples, each an input and an output with its content`;
      const content = z.string({ error }).max(EXAMPLE_MAX, { error: `${name} take at most ${EXAMPLE_MAX} characters` });
      const side = z.object({ content }, { error });
      return z
        .array(z.object({ input: side, output: side }, { error }), { error })
        .max(EXAMPLES_MAX, { error: `${name} takes at most ${EXAMPLES_MAX} examples` })
        .transform((all) => all.filter(isFilled));
    }
    case 'tools': {
      const error = `${name} must be a list of keys of tools, each of 1 to ${TOOL_KEY_MAX} characters`;
      return z
        .array(ToolKey(error), { error })
        .max(CHOSEN_TOOLS_MAX, { error: `${name} takes at most ${CHOSEN_TOOLS_MAX} entries` })
        .transform((keys) => [...new Set(keys)]);
    }
    case 'agent': {
      const error = `${name} must have an agent, functions or classic, skipCompletion, a model and a temperature from 0 to 2`;
      const options = z.object(
        {
          agent: z.enum(['functions', 'classic'], { error }),
          skipCompletion: z.boolean({ error }),
          model: z.string({ error }).max(256, { error }),
          temperature: z.number({ error }).min(0, { error }).max(2, { error }),
        },
        { error },
      );
      return options;
    }
    default:
      return param satisfies never;
  }
}

/** Clients of the REST API send the plugins of a conversation whole. */
function ToolKey(error: string) {
  const key = z.string({ error }).min(1, { error }).max(TOOL_KEY_MAX, { error });
  return z.union([key, z.object({ pluginKey: key }).transform(({ pluginKey }) => pluginKey)], { error });
}
