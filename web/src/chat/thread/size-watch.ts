/** Watches the sizes of elements that come and go. Heard by whoever listened last. */
export interface SizeWatch {
  listen(onResize: (entries: ResizeObserverEntry[]) => void): void;
  /** A ref: watches an element for as long as it is there. */
  watch(element: Element | null): (() => void) | undefined;
  end(): void;
}

export function createSizeWatch(): SizeWatch {
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
