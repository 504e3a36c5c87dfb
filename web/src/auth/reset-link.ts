// The link by which a new password is chosen. It leaves the address bar, and so what the browser remembers of it, as soon
// as it was read. It stays with this entry of the tab's own history: a reload, or a phone that puts a tab away while its
// owner looks something up, must not cost a link that is good for half an hour.
export interface ResetLink {
  /** Empty where the address has none. */
  token: string;
  userId: string;
}

export function readResetLink(): ResetLink {
  const { search } = window.location;
  return search === '' ? keptLink() : linkIn(Object.fromEntries(new URLSearchParams(search)));
}

export function hideResetLink(link: ResetLink): void {
  window.history.replaceState({ resetLink: link }, '', window.location.pathname);
}

/** It has been used. */
export function forgetResetLink(): void {
  window.history.replaceState(null, '', window.location.pathname);
}

function keptLink(): ResetLink {
  const state: unknown = window.history.state;
  const isKept = typeof state === 'object' && state !== null && 'resetLink' in state;
  return linkIn(isKept ? state.resetLink : null);
}

function linkIn(value: unknown): ResetLink {
  const { token, userId } = (typeof value === 'object' && value !== null ? value : {}) as Partial<ResetLink>;
  return { token: typeof token === 'string' ? token : '', userId: typeof userId === 'string' ? userId : '' };
}
