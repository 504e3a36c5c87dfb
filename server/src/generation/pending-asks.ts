// The asks that this process has received and not yet answered, so that an attach waits for them however long they
// take.

export interface PendingAsks {
  /** Asks, and keeps these runs pending until they have begun or were refused. */
  track<T>(userId: string, generationIds: readonly string[], ask: () => Promise<T>): Promise<T>;
  /** Resolves when the ask is over; undefined when none is pending. */
  find(userId: string, generationId: string): Promise<unknown> | undefined;
}

export function createPendingAsks(): PendingAsks {
  const pending = new Map<string, Promise<unknown>>();
  return { track, find: (userId, generationId) => pending.get(`${userId} ${generationId}`) };

  async function track<T>(userId: string, generationIds: readonly string[], ask: () => Promise<T>): Promise<T> {
    const keys = generationIds.map((id) => `${userId} ${id}`);
    const asking = ask();
    const over = asking
      .catch(() => {})
      .finally(() => {
        // The same ask may have been sent again meanwhile.
        for (const key of keys) if (pending.get(key) === over) pending.delete(key);
      });
    for (const key of keys) pending.set(key, over);
    return asking;
  }
}
