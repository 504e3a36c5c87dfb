// The message that the address asks for: `/c/<conversation>?message=<message>` opens it on its branch.
import { useSearch } from 'wouter';
import { navigate } from 'wouter/use-browser-location';

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The message asked for, if any. */
export function findTarget(search: string = window.location.search): string | undefined {
  const messageId = new URLSearchParams(search).get('message')?.toLowerCase();
  return messageId && ID.test(messageId) ? messageId : undefined;
}

export function useTarget(): string | undefined {
  return findTarget(useSearch());
}

/** Takes it out of the address, so that the same one can be asked for again. */
export function clearTarget(): void {
  navigate(window.location.pathname, { replace: true });
}
