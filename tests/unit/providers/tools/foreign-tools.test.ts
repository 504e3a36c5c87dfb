// Every tool of a stranger, in every protocol, against the rules by which the real services refuse requests.
import {
  refusedByAnthropic,
  refusedByGoogle,
  refusedByOpenAI,
  type RefusedTool,
} from '@parley/scripts/fake-provider/tools/refused-tools';
import { toolDialects, type ToolDialect } from '@parley/server/providers/tools/dialects';
import { fitTools } from '@parley/server/providers/tools/fit-tools';
import type { ToolSpec } from '@parley/server/providers/tool-spec';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { foreignTools } from '../../../support/tools/foreign/foreign-tools.ts';
import { sampleOf } from '../../../support/tools/foreign/sample-arguments.ts';

type Rules = (tools: readonly ToolSpec[]) => RefusedTool | undefined;

const field = (n: number, name: string) => `tools[${n}].${name}`;
const openAI: Rules = (tools) => refusedByOpenAI(tools.map(mutable), field);
const anthropic: Rules = (tools) => refusedByAnthropic(tools.map(mutable));
const google: Rules = (tools) => refusedByGoogle(tools.map(mutable));

const wires: [string, ToolDialect, Rules[]][] = [
  ['OpenAI and Azure', toolDialects.openAI, [openAI]],
  ['Anthropic', toolDialects.anthropic, [anthropic]],
  ['Gemini and Vertex', toolDialects.google, [google]],
  // Any of the others may stand behind them.
  ['compatible servers', toolDialects.compatible, [openAI, anthropic]],
];

const draft = new Ajv2020({ strict: false, logger: false, validateFormats: false });
const tools = foreignTools();

describe('500 tools of strangers', () => {
  it('break the rules of every provider as they are', () => {
    expect(tools).toHaveLength(500);
    const refused = [openAI, anthropic, google].map((rules) => tools.filter((tool) => rules([tool])).length);
    for (const count of refused) expect(count).toBeGreaterThan(100);
  });

  describe.each(wires)('at %s', (_name, dialect, rules) => {
    it('are accepted, each of them', () => {
      const faults = tools.flatMap((tool) => {
        const { specs } = fitTools([tool], dialect);
        return rules.flatMap((refused) => refused(specs) ?? []).map(({ message }) => `${tool.name}: ${message}`);
      });
      expect(faults).toEqual([]);
    });

    it('are accepted together', () => {
      const { specs } = fitTools(tools.slice(0, dialect.toolsMax), dialect);
      expect(rules.flatMap((refused) => refused(specs) ?? [])).toEqual([]);
      expect(new Set(specs.map(({ name }) => name)).size).toBe(specs.length);
    });

    it('get their arguments back under the real names', () => {
      const faults: string[] = [];
      let count = 0;
      for (const tool of tools) {
        const args = sampleOf(tool.parameters);
        const fitted = fitTools([tool], dialect);
        const input = JSON.stringify(args);
        const call = fitted.toWire({ id: 'a', name: tool.name, input, output: '', isError: false });
        const described = Object.keys(Object(fitted.specs[0]?.parameters.properties) as object);
        const given = Object.keys(JSON.parse(call.input) as object);
        count += given.length;
        const stray = given.filter((name) => !dialect.propertyName.test(name) || !described.includes(name));
        const back = fitted.inputFromWire(tool.name, call.input);
        if (stray.length > 0 || back !== input || fitted.nameFromWire(call.name) !== tool.name)
          faults.push(`${tool.name}: ${stray.join(', ')} ${back}`);
      }
      expect(faults).toEqual([]);
      expect(count).toBeGreaterThan(500);
    });
  });

  it('still take the arguments that they took before', () => {
    let valid = 0;
    const narrowed = tools.filter(({ parameters }, n) => {
      const args = sampleOf(parameters);
      if (n % 3 > 0 || !validatorOf(parameters)?.(args)) return false;
      valid++;
      const fitted = fitTools([{ name: 'a', description: '', parameters }], toolDialects.openAI);
      const call = fitted.toWire({ id: 'a', name: 'a', input: JSON.stringify(args), output: '', isError: false });
      return validatorOf(fitted.specs[0]?.parameters ?? false)?.(JSON.parse(call.input)) !== true;
    });
    expect(narrowed.map(({ name }) => name)).toEqual([]);
    expect(valid).toBeGreaterThan(60);
  });
});

/** Undefined for a schema that is none. */
function validatorOf(schema: object | false): ValidateFunction | undefined {
  try {
    return draft.compile(schema);
  } catch {
    return undefined;
  }
}

function mutable({ name, description, parameters }: ToolSpec) {
  return { name, description, parameters: { ...parameters } };
}
