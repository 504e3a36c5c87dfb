// Offers tools to a model, and asks once more without those that its provider refuses: one tool must not cost the
// answer.
import type { ToolOrigin } from '@parley/schema/messages/messages';
import type { Delta } from '../../generation/delta.ts';
import type { ProviderCall } from '../../providers/provider.ts';
import type { ToolSpec } from '../../providers/tool-spec.ts';
import { refusedTools } from '../../providers/tools/refused-tools.ts';
import type { Tool } from '../../tools/tool.ts';
import type { ToollessModels } from './toolless-models.ts';

export interface ToolOffer {
  /** Calls the provider with what is still offered; a refused tool is told as a call that failed. */
  ask(request: (tools: readonly ToolSpec[]) => AsyncIterable<Delta>): AsyncGenerator<Delta>;
}

/** After so many refused tools of one reply the others are left out, too. */
const REFUSALS_MAX = 5;

const ALL: ToolOrigin = { source: 'builtin', id: 'tools', label: 'Tools' };

export function offerTools(
  tools: ReadonlyMap<string, Tool>,
  call: Pick<ProviderCall, 'target' | 'model'>,
  toolless: ToollessModels,
): ToolOffer {
  let offered = [...tools.values()].map(({ name, description, parameters }) => ({ name, description, parameters }));
  let refusals = 0;

  async function* ask(request: (specs: readonly ToolSpec[]) => AsyncIterable<Delta>): AsyncGenerator<Delta> {
    if (offered.length > 0 && toolless.has(call)) yield* dropAll(takesNone(call.model));
    for (;;) {
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
      toolless.add(call);
      call.target.refusals?.note(call, 'tools');
      yield* dropAll(takesNone(call.model));
    } else if (++refusals > REFUSALS_MAX)
      yield* dropAll(`${endpoint} refused several tools. The answer goes on without any.`);
    else {
      const sentence = (name: string) => `${endpoint} refused the tool ${name}. The answer goes on without it.`;
      for (const name of refused) yield notice(`refused:${name}`, tools.get(name)?.from ?? ALL, sentence(name));
      offered = offered.filter(({ name }) => !refused.includes(name));
    }
  }

  function* dropAll(text: string): Generator<Delta> {
    offered = [];
    yield notice('refused', ALL, text);
  }

  return { ask };
}

function takesNone(model: string): string {
  return `${model} takes no tools. The answer goes on without them.`;
}

/** As a call that failed, which the model does not get. */
function notice(id: string, from: ToolOrigin, output: string): Delta {
  const call = { id, kind: 'function' as const, name: from.label, input: '', output, progress: 1, from };
  return { type: 'tool', call: { ...call, state: 'failed' } };
}
