/**
 * Passes items on, and gives up those that do not end within `graceMs` of the signal's abort: what ignores its signal
 * must not hold up a stop for ever. No generator, which would cost several turns of the microtask queue for each item.
 * Its `next` rejects with an error when it gives up.
 */
export function stoppable<T>(items: AsyncIterable<T>, signal: AbortSignal, graceMs: number): AsyncIterable<T> {
  const iterator = items[Symbol.asyncIterator]();
  let timer: NodeJS.Timeout | undefined;
  let isGivenUp = false;
  let giveUp = () => {};
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return { [Symbol.asyncIterator]: () => ({ next, return: leave }) };

  function onAbort(): void {
    timer = setTimeout(() => {
      isGivenUp = true;
      giveUp();
    }, graceMs);
  }

  // Not a race with one long promise, which would keep a reaction for each item.
  function next(): Promise<IteratorResult<T>> {
    return new Promise((resolve, reject) => {
      giveUp = () => {
        end();
        void iterator.return?.().catch(() => undefined);
        reject(new Error(`What was stopped did not end within ${graceMs} ms`));
      };
      if (isGivenUp) return giveUp();
      iterator.next().then(
        (result) => {
          if (result.done) end();
          resolve(result);
        },
        (error: Error) => {
          end();
          reject(error);
        },
      );
    });
  }

  /** The reader has enough. */
  async function leave(): Promise<IteratorResult<T>> {
    end();
    await iterator.return?.().catch(() => undefined);
    return { done: true, value: undefined };
  }

  function end(): void {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
