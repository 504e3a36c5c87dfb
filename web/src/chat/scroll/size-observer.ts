/** Observes the sizes of mounted elements. Notifies only the latest listener. */
export interface SizeObserver {
  listen(onResize: (entries: ResizeObserverEntry[]) => void): void;
  /** A ref callback: observes an element while it is mounted. */
  watch(element: Element | null): (() => void) | undefined;
  end(): void;
}

export function createSizeObserver(): SizeObserver {
  let tell: (entries: ResizeObserverEntry[]) => void = () => {};
  const observer = new ResizeObserver((entries) => tell(entries));
  return {
    listen(onResize) {
      tell = onResize;
    },
    watch(element) {
      if (!element) return undefined;
      observer.observe(element);
      return () => observer.unobserve(element);
    },
    end: () => observer.disconnect(),
  };
}
