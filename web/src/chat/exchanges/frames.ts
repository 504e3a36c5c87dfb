// When replies that are being written are drawn: together, so that the browser lays out and paints once for all of them.

/** Milliseconds that the next drawing is later for each reply beside the first: several cost about what one does. */
const BESIDE_MS = 25;

export interface Frames {
  /** Draws a reply in the next frame; of several drawings of one reply only the last is needed. */
  draw(replyId: string, draw: () => void): void;
  cancel(replyId: string): void;
}

export function createFrames(): Frames {
  const waiting = new Map<string, () => void>();
  let isWaiting = false;

  function drawAll(): void {
    const draws = [...waiting.values()];
    waiting.clear();
    if (draws.length > 1) setTimeout(beginNext, BESIDE_MS * (draws.length - 1));
    else beginNext();
    for (const draw of draws) draw();
  }

  function beginNext(): void {
    isWaiting = waiting.size > 0;
    if (isWaiting) requestAnimationFrame(drawAll);
  }

  return {
    draw(replyId, draw) {
      waiting.set(replyId, draw);
      if (!isWaiting) requestAnimationFrame(drawAll);
      isWaiting = true;
    },
    cancel: (replyId) => void waiting.delete(replyId),
  };
}
