/** Locks `key` within this process; resolves with the function that releases it. */
export type KeyedMutex = (key: string) => Promise<() => void>;

export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<void>>();
  return async (key) => {
    const before = last.get(key);
    let resolve = () => {};
    const mine = new Promise<void>((done) => (resolve = done));
    last.set(key, mine);
    await before;
    return () => {
      if (last.get(key) === mine) last.delete(key);
      resolve();
    };
  };
}
