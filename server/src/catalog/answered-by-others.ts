import type { Endpoint } from './endpoint.ts';

/**
 * An endpoint without a provider of its own, such as that of assistants: it offers the models of the endpoints that
 * answer for it; where it names models itself, only those.
 */
export function answeredByOthers(endpoint: Endpoint, others: readonly Endpoint[]): Endpoint {
  return {
    ...endpoint,
    isAnsweredByOthers: true,
    async models(userId) {
      const [named, ...lists] = await Promise.all([endpoint, ...others].map((one) => one.models(userId)));
      const all = [...new Set(lists.flat())];
      return named?.length ? all.filter((model) => named.includes(model)) : all;
    },
    async fetched(userId) {
      const lists = await Promise.all(others.map((other) => other.fetched(userId)));
      // The first endpoint that offers a model is asked.
      return new Map(lists.toReversed().flatMap((list) => [...list]));
    },
    accepts: (userId, model) => isSome((other) => other.accepts(userId, model)),
    permits: (userId, model) => isSome((other) => other.permits(userId, model)),
  };

  async function isSome(test: (other: Endpoint) => Promise<boolean>): Promise<boolean> {
    return (await Promise.all(others.map(test))).some(Boolean);
  }
}
