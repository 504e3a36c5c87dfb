const failed = new Set<HTMLLinkElement>();

// Resource load errors do not bubble.
addEventListener('error', ({ target }) => target instanceof HTMLLinkElement && remember(target), true);

function remember(link: HTMLLinkElement): void {
  if (link.rel === 'stylesheet') failed.add(link);
}

// Another screen may use the stylesheet of one that failed.
addEventListener('online', () => void retryStylesheets().catch(() => undefined));

/** Fetches failed stylesheets again: the chunk loader requests them only once. */
export async function retryStylesheets(): Promise<void> {
  await Promise.all([...failed].map(reload));
}

function reload(link: HTMLLinkElement): Promise<unknown> {
  const again = document.importNode(link);
  failed.delete(link);
  link.replaceWith(again);
  return new Promise((resolve, reject) => {
    again.addEventListener('load', resolve);
    again.addEventListener('error', () => reject(new Error(`${again.href} could not be fetched`)));
  });
}
