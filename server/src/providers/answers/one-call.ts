// At most one call in an answer, for protocols that can't ask for that.
import type { Delta } from '../../generation/delta.ts';
import type { Provider } from '../provider.ts';

export function withOneCall(provider: Provider): Provider {
  return (call, signal) => {
    const deltas = provider(call, signal);
    return call.parallelCalls === false ? firstCallOnly(deltas) : deltas;
  };
}

async function* firstCallOnly(deltas: AsyncIterable<Delta>): AsyncGenerator<Delta> {
  let first: string | undefined;
  for await (const delta of deltas) {
    const id = idOf(delta);
    first ??= id;
    if (id === undefined || id === first) yield delta;
  }
}

function idOf(delta: Delta): string | undefined {
  if (delta.type === 'tool') return delta.call.id;
  return delta.type === 'input' || delta.type === 'signature' ? delta.id : undefined;
}
