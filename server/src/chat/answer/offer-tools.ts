// Offers tools to a model, and asks once more without those that its provider refuses: one tool must not cost the
// answer.
import type { ToolOrigin } from '@parley/schema/messages/messages';
import { isOfMemory } from '@parley/schema/tools/memory-rules';
import type { Delta } from '../../generation/delta.ts';
import type { KnownRefusals } from '../../providers/compatible/refusals.ts';
import type { ProviderCall } from '../../providers/provider.ts';
import type { ToolSpec } from '../../providers/tool-spec.ts';
import { refusedTools } from '../../providers/tools/refused-tools.ts';
import type { OfferedTools } from '../../tools/registry.ts';
import type { Tool } from '../../tools/tool.ts';
import type { Prompt } from './build-prompt.ts';

export interface ToolOffer {
  /** Calls the provider with what is still offered; a refused tool is told as a call that failed. */
  ask(request: (tools: readonly ToolSpec[]) => AsyncIterable<Delta>): AsyncGenerator<Delta>;
}

/** After so many refused tools of one reply the others are left out, too. */
const REFUSALS_MAX = 5;

const ALL: ToolOrigin = { source: 'builtin', id: 'tools', label: 'Tools' };

export function offerTools(
  { tools, hidden }: Pick<OfferedTools, 'tools' | 'hidden'>,
  call: Pick<ProviderCall, 'target' | 'model'>,
  known: KnownRefusals,
): ToolOffer {
  let left = [...tools.values()].map(({ name, description, parameters }) => ({ name, description, parameters }));
  // Nobody has chosen the tools of the memory: the answer goes on without them in silence.
  const isQuiet = [...tools.values()].every(isOfMemory);
  let refusals = 0;
  /** Offers a hidden tool once the model has found it. */
  const shown = () => left.filter(({ name }) => !hidden.has(name));

  async function* ask(request: (specs: readonly ToolSpec[]) => AsyncIterable<Delta>): AsyncGenerator<Delta> {
    if (left.length > 0 && refusesTools(known, call)) yield* dropAll(takesNone(call.model));
    for (;;) {
      const offered = shown();
      let isBegun = false;
      try {
        for await (const delta of request(offered)) {
          isBegun = true;
          yield delta;
        }
        return;
      } catch (error) {
        const refused = isBegun || offered.length === 0 ? [] : refusedTools(error, offered);
        if (refused.length === 0) throw error;
        yield* drop(refused);
      }
    }
  }

  function* drop(refused: 'all' | readonly string[]): Generator<Delta> {
    const { endpoint } = call.target;
    if (refused === 'all') {
      known.add(call.target, { name: TOOLS, model: call.model });
      yield* dropAll(takesNone(call.model));
    } else if (++refusals > REFUSALS_MAX)
      yield* dropAll(`${endpoint} refused several tools. The answer goes on without any.`);
    else {
      const sentence = (name: string) => `${endpoint} refused the tool ${name}. The answer goes on without it.`;
      for (const name of isQuiet ? [] : refused)
        yield notice(`refused:${name}`, tools.get(name)?.from ?? ALL, sentence(name));
      left = left.filter(({ name }) => !refused.includes(name));
    }
  }

  function* dropAll(text: string): Generator<Delta> {
    left = [];
    if (!isQuiet) yield notice('refused', ALL, text);
  }

  return { ask };
}

/** Processes remember a model that takes no tools under this name. */
const TOOLS = 'tools';

function refusesTools(known: KnownRefusals, { target, model }: Pick<ProviderCall, 'target' | 'model'>): boolean {
  return known.of(target).some((refused) => refused.name === TOOLS && refused.model === model);
}

function takesNone(model: string): string {
  return `${model} takes no tools. The answer goes on without them.`;
}

/** Writes the notice as a call that failed, which the model does not get. */
function notice(id: string, from: ToolOrigin, output: string): Delta {
  const call = { id, kind: 'function' as const, name: from.label, input: '', output, progress: 1, from };
  return { type: 'tool', call: { ...call, state: 'failed' } };
}

// A call as it may be made now: what is remembered goes along only while memory is on.

interface CallNow {
  call: ProviderCall;
  /** Whether this tool is offered. */
  offers(spec: Pick<ToolSpec, 'name'>): boolean;
}

export async function callNow(
  { memory, branch }: Pick<Prompt, 'memory' | 'branch'>,
  call: ProviderCall,
  tools: ReadonlyMap<string, Pick<Tool, 'from'>>,
): Promise<CallNow> {
  if (!memory || (await memory.isOn())) return { call, offers: () => true };
  const { promptPrefix: _told, ...settings } = call.settings;
  const { promptPrefix } = branch.convo.settings;
  return {
    call: { ...call, settings: { ...settings, ...(promptPrefix !== undefined && { promptPrefix }) } },
    offers: ({ name }) => !isOfMemory(tools.get(name) ?? {}),
  };
}
