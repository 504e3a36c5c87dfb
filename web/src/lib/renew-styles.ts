const failed = new Set<HTMLLinkElement>();

// Errors of what a page fetches do not bubble.
addEventListener('error', ({ target }) => target instanceof HTMLLinkElement && keep(target), true);

function keep(link: HTMLLinkElement): void {
  if (link.rel === 'stylesheet') failed.add(link);
}

/** Fetches the styles that did not arrive once more: a code's own loader asks for them only once. */
export async function renewStyles(): Promise<void> {
  await Promise.all([...failed].map(renew));
}

function renew(link: HTMLLinkElement): Promise<unknown> {
  const again = link.cloneNode() as HTMLLinkElement;
  failed.delete(link);
  link.replaceWith(again);
  return new Promise((resolve, reject) => {
    again.addEventListener('load', resolve);
    again.addEventListener('error', () => reject(new Error(`${again.href} could not be fetched`)));
  });
}
