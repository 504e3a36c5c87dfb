// Models whose provider refused tools: they are asked without for a while, and not refused again each time.
import type { ProviderCall } from '../../providers/provider.ts';

export interface ToollessModels {
  has(call: Asked): boolean;
  add(call: Asked): void;
}

type Asked = Pick<ProviderCall, 'model'> & { target: Pick<ProviderCall['target'], 'endpoint' | 'baseURL'> };

/** A model may learn to take tools, and a server may be started anew with them. */
const KEPT_MS = 60 * 60_000;
const MODELS_MAX = 500;

export function createToollessModels(now: () => number = () => performance.now()): ToollessModels {
  /** Until when, the oldest first. */
  const known = new Map<string, number>();
  return {
    has: (call) => (known.get(keyOf(call)) ?? 0) > now(),
    add(call) {
      const key = keyOf(call);
      known.delete(key);
      known.set(key, now() + KEPT_MS);
      const [oldest] = known.keys();
      if (known.size > MODELS_MAX && oldest !== undefined) known.delete(oldest);
    },
  };
}

function keyOf({ target, model }: Asked): string {
  return JSON.stringify([target.endpoint, target.baseURL, model]);
}
