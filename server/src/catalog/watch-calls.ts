// Tells an operator how long providers take, and how their calls end.
import { reasonFacts } from '../platform/log-error.ts';
import { Refusal } from '../platform/errors.ts';
import type { Provider } from '../providers/provider.ts';

/** A call of a provider that has ended; never what was asked or answered. */
export interface ProviderCallFacts extends Partial<ReturnType<typeof reasonFacts>> {
  endpoint: string;
  model: string;
  /** Until its end, and until its first delta, in milliseconds. */
  ms: number;
  firstMs: number | undefined;
}

/** The provider, which tells each call that has ended. */
export function watchCalls(
  provider: Provider,
  endpoint: string,
  onCalled: (facts: ProviderCallFacts) => void,
): Provider {
  return async function* watched(call, signal) {
    const began = performance.now();
    const since = () => Math.round(performance.now() - began);
    let firstMs: number | undefined;
    let failure: Partial<ReturnType<typeof reasonFacts>> = {};
    try {
      for await (const delta of provider(call, signal)) {
        firstMs ??= since();
        yield delta;
      }
    } catch (error) {
      failure = reasonFacts(error instanceof Refusal ? error.reason : { type: 'unknown', text: '' });
      throw error;
    } finally {
      onCalled({ endpoint, model: call.model, ms: since(), firstMs, ...failure });
    }
  };
}
