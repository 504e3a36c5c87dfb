/** A state that components follow. */
export interface ObservedState<State> {
  get(): State;
  set(next: State): void;
  /** Calls `hear` at each change, until the returned function is called. */
  subscribe(hear: () => void): () => void;
}

export function createObservedState<State>(first: State): ObservedState<State> {
  const listeners = new Set<() => void>();
  let state = first;
  return {
    get: () => state,
    set(next) {
      state = next;
      listeners.forEach((hear) => hear());
    },
    subscribe(hear) {
      listeners.add(hear);
      return () => void listeners.delete(hear);
    },
  };
}
