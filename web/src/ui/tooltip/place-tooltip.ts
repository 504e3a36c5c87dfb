/** Pixels between the tooltip and its element, and between it and the edges of the page. */
const GAP_PX = 6;

/** Puts a visible tooltip below its element, or above where there is no room. */
export function placeTooltip(tooltip: HTMLElement, target: HTMLElement): void {
  const { left, top, bottom, width } = target.getBoundingClientRect();
  const own = tooltip.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const x = Math.max(GAP_PX, Math.min(left + (width - own.width) / 2, clientWidth - own.width - GAP_PX));
  const below = bottom + GAP_PX;
  const y = below + own.height + GAP_PX > clientHeight ? top - own.height - GAP_PX : below;
  tooltip.style.translate = `${Math.round(x)}px ${Math.round(Math.max(GAP_PX, y))}px`;
}
