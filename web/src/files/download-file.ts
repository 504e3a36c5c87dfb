import { i18n } from '../i18n.ts';
import { requestHeaders, session } from '../session/current-session.ts';
import { showToast } from '../ui/toast/toast.ts';
import { markRemoved } from './removed-files.ts';

const UNAUTHORIZED = 401;
const NOT_FOUND = 404;

/** Enough of a file to find its address. */
interface Downloadable {
  fileId: string;
  path: string;
}

/**
 * Saves a file of the user under its name: the browser follows a link with the sign-in cookie, so that no byte passes
 * through the page. Tells the person when the file cannot be had; never throws.
 */
export async function downloadFile(file: Downloadable, name: string): Promise<void> {
  try {
    // A failed download tells the page nothing.
    await requestFile(file, 'HEAD');
    followLink(file.path, name);
  } catch {
    showToast({ message: i18n.t('com_files_download_failed', { 0: name }), severity: 'error', duration: 5_000 });
  }
}

/** @throws Error where the file cannot be had */
export async function requestFile(
  { fileId, path }: Downloadable,
  method: 'HEAD' | 'GET',
  signal?: AbortSignal,
): Promise<Response> {
  let response = await ask(await session.freshToken());
  if (response.status === UNAUTHORIZED) response = await ask(await session.refresh());
  if (response.status === NOT_FOUND) markRemoved([fileId]);
  if (!response.ok) throw new Error(`The download ended with ${response.status}`);
  return response;

  function ask(token: string | null): Promise<Response> {
    return fetch(path, { method, headers: requestHeaders(token), ...(signal && { signal }) });
  }
}

function followLink(path: string, name: string): void {
  const link = document.createElement('a');
  link.href = path;
  link.download = name;
  link.click();
}
