// Settings as the edge sees them: checked against the endpoint table.
import * as z from 'zod';
import { cleanJson } from './clean-text.ts';
import { paramsOf, type EndpointType } from './endpoints.ts';
import type { Param, Settings } from './params.ts';

const TAG_MAX = 256;
const EXAMPLES_MAX = 100;

/**
 * Checks what a client sent as settings of one endpoint type and returns it without what equals a default.
 * Null and absent mean "the default". Unknown names are dropped: clients send whole conversations back. `model` matters
 * where its family has bounds of its own.
 * @throws z.ZodError whose first issue is a sentence that names the parameter and its bounds
 */
export function parseSettings(
  type: EndpointType,
  input: Record<string, unknown>,
  model: string | null = null,
): Settings {
  const settings: Settings = {};
  for (const [name, param] of Object.entries(paramsOf(type, model))) {
    const value = input[name];
    if (value === undefined || value === null) continue;
    const parsed = cleanJson(schemaOf(name, param).parse(value));
    if (!isDefault(param, parsed)) settings[name] = parsed;
  }
  return settings;
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
    case 'tags':
      return z
        .array(z.string().min(1).max(TAG_MAX), { error: `${name} must be a list of texts` })
        .max(param.max, { error: `${name} takes at most ${param.max} entries` });
    case 'choice':
      return z.enum(param.options, { error: `${name} must be one of ${param.options.join(', ')}` });
    case 'text':
      return z
        .string({ error: `${name} must be a text` })
        .max(param.max, { error: `${name} takes at most ${param.max} characters` });
    case 'examples':
      return z
        .array(z.object({ input: Content, output: Content }), { error: `${name} must be a list of examples` })
        .max(EXAMPLES_MAX, { error: `${name} takes at most ${EXAMPLES_MAX} examples` });
  }
}

const Content = z.object({ content: z.string().max(32_768) });

function isDefault(param: Param, value: Settings[string]): boolean {
  if (param.kind === 'text') return value === '';
  return Array.isArray(value) ? value.length === 0 : value === param.default;
}
