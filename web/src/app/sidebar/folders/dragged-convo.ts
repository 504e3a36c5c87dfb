// The link of a conversation that is dragged, as browsers describe it.
const LINK = 'text/uri-list';

export function mayBeConvo({ types }: DataTransfer): boolean {
  return types.includes(LINK);
}

/** Null for a link to anything else. */
export function draggedConvoId(transfer: DataTransfer): string | null {
  const url = URL.parse(transfer.getData(LINK).split('\n')[0] ?? '');
  if (url?.origin !== window.location.origin) return null;
  return /^\/c\/([0-9a-f-]{36})$/i.exec(url.pathname)?.[1] ?? null;
}
