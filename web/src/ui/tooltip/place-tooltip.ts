/** Pixels between the tooltip and its element, and between it and the edges of the page. */
const GAP = 6;

/** Puts a visible tooltip below its element, or above where there is no room. */
export function placeTooltip(tooltip: HTMLElement, target: HTMLElement): void {
  const { left, top, bottom, width } = target.getBoundingClientRect();
  const own = tooltip.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const x = Math.max(GAP, Math.min(left + (width - own.width) / 2, clientWidth - own.width - GAP));
  const below = bottom + GAP;
  const y = below + own.height + GAP > clientHeight ? top - own.height - GAP : below;
  tooltip.style.translate = `${Math.round(x)}px ${Math.round(Math.max(GAP, y))}px`;
}
