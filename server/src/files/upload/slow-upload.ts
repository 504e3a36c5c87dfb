import type { IncomingMessage } from 'node:http';

/** When a sender is cut: an open upload holds a file, a slot and a connection. */
export interface SlowUploadLimits {
  /** Without a single byte, in milliseconds. */
  silenceMs: number;
  /** Fewer than `windowBytes` within `windowMs` milliseconds. */
  windowMs: number;
  windowBytes: number;
}

const LIMITS: SlowUploadLimits = { silenceMs: 30_000, windowMs: 60_000, windowBytes: 60 * 1024 };

/** Cuts the connection of a sender who is silent or too slow; the returned function stops watching. */
export function cutSlowUpload(incoming: IncomingMessage, limits = LIMITS): () => void {
  const { silenceMs, windowMs, windowBytes } = limits;
  let arrived = 0;
  const cut = () => incoming.destroy(new Error('The sender is too slow'));
  const silence = setTimeout(cut, silenceMs).unref();
  const window = setInterval(() => {
    if (arrived < windowBytes) cut();
    arrived = 0;
  }, windowMs).unref();
  // Counted at the socket: a listener for data here would take the body from its reader.
  const { socket } = incoming;
  let before = socket.bytesRead;
  const look = setInterval(
    () => {
      const now = socket.bytesRead;
      if (now === before) return;
      arrived += now - before;
      before = now;
      silence.refresh();
    },
    Math.min(1000, silenceMs / 4),
  ).unref();
  return () => {
    clearTimeout(silence);
    clearInterval(window);
    clearInterval(look);
  };
}
