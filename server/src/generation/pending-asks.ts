// The asks that this process has received and not yet answered, so that an attach waits for them however long they
// take.

export interface PendingAsks {
  /** Runs an ask and keeps it pending until it has begun or was refused. */
  track<T>(userId: string, generationId: string, ask: () => Promise<T>): Promise<T>;
  /** Resolves when the ask is over; undefined when none is pending. */
  find(userId: string, generationId: string): Promise<unknown> | undefined;
}

export function createPendingAsks(): PendingAsks {
  const pending = new Map<string, Promise<unknown>>();
  return { track, find: (userId, generationId) => pending.get(`${userId} ${generationId}`) };

  async function track<T>(userId: string, generationId: string, ask: () => Promise<T>): Promise<T> {
    const key = `${userId} ${generationId}`;
    const asking = ask();
    const over = asking
      .catch(() => {})
      .finally(() => {
        // The same ask may have been sent again meanwhile.
        if (pending.get(key) === over) pending.delete(key);
      });
    pending.set(key, over);
    return asking;
  }
}
