// The password reset link. It leaves the address bar, and so the browser's history, as soon as the page has read it.
// The tab's history entry keeps it: a reload, or a phone that discards a background tab, must not lose a link that is
// valid for half an hour.
export interface ResetLink {
  /** Empty if the address has none. */
  token: string;
  userId: string;
}

export function readResetLink(): ResetLink {
  const { search } = window.location;
  return search === '' ? storedLink() : linkIn(Object.fromEntries(new URLSearchParams(search)));
}

export function hideResetLink(link: ResetLink): void {
  window.history.replaceState({ resetLink: link }, '', window.location.pathname);
}

/** Call once the link is used. */
export function forgetResetLink(): void {
  window.history.replaceState(null, '', window.location.pathname);
}

function storedLink(): ResetLink {
  const state: unknown = window.history.state;
  const isKept = typeof state === 'object' && state !== null && 'resetLink' in state;
  return linkIn(isKept ? state.resetLink : null);
}

function linkIn(value: unknown): ResetLink {
  const { token, userId } = (typeof value === 'object' && value !== null ? value : {}) as Partial<ResetLink>;
  return { token: typeof token === 'string' ? token : '', userId: typeof userId === 'string' ? userId : '' };
}
