/**
 * Passes items on, and gives up those that do not end within `graceMs` of the signal's abort: what ignores its signal
 * must not hold up a stop for ever.
 * @throws Error when it gives up
 */
export async function* stoppable<T>(
  items: AsyncIterable<T>,
  signal: AbortSignal,
  graceMs: number,
): AsyncGenerator<T, void> {
  const iterator = items[Symbol.asyncIterator]();
  let timer: NodeJS.Timeout | undefined;
  let isGivenUp = false;
  let giveUp = () => {};
  const onAbort = () => {
    timer = setTimeout(() => {
      isGivenUp = true;
      giveUp();
    }, graceMs);
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    for (let next = await oneMore(); !next.done; next = await oneMore()) yield next.value;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    const ended = iterator.return?.().catch(() => undefined);
    if (!isGivenUp) await ended;
  }

  // Not a race with one long promise, which would keep a reaction for each item.
  function oneMore(): Promise<IteratorResult<T>> {
    return new Promise((resolve, reject) => {
      giveUp = () => reject(new Error(`What was stopped did not end within ${graceMs} ms`));
      if (isGivenUp) giveUp();
      else iterator.next().then(resolve, reject);
    });
  }
}
