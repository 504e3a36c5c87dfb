// Requests to a store behind HTTP: bounded in time, and tried again where the failure may pass.
import { fetchUnredirected, withDeadline } from '../../platform/deadline.ts';
import { MissingFile } from '../../storage/file-store.ts';

/** For an answer to begin; a part of 8 MB over a slow line has to be sent before. */
const ANSWER_MAX_MS = 30 * 60_000;
/** For all bytes of an answer to be read. */
const DOWNLOAD_MAX_MS = 60 * 60_000;
/** Beside the first. */
const RETRIES_MAX = 3;
const PAUSE_MS = 100;

/**
 * `build` makes the request, anew for each try: it may be signed for a moment, and its body may be a stream.
 * @throws MissingFile for 404, Error for any other refusal; no message contains the store's answer
 */
export async function requestStore(build: () => Promise<Request>, signal?: AbortSignal): Promise<Response> {
  for (let tries = 0; ; tries++) {
    const request = await build();
    const response = await send(request, signal).catch((error: unknown) => {
      if (signal?.aborted || tries >= RETRIES_MAX) throw error;
      return null;
    });
    if (response?.ok) return response;
    await response?.body?.cancel();
    if (response?.status === 404) throw new MissingFile('The file is not in the store');
    if (response && (tries >= RETRIES_MAX || (response.status !== 429 && response.status < 500)))
      throw new Error(`The store answers ${response.status} to ${request.method}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * 2 ** tries));
  }
}

async function send(request: Request, signal: AbortSignal | undefined): Promise<Response> {
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(new Error('The store does not answer')), ANSWER_MAX_MS);
  try {
    return await fetchUnredirected(request, { signal: withDeadline(DOWNLOAD_MAX_MS, stop.signal, signal) });
  } finally {
    clearTimeout(late);
  }
}
