/** Whether a dialog or menu covers the page, which then handles Escape first. */
function isOverlaid(target: Element): boolean {
  return target.closest('[role=menu], [role=dialog]') !== null;
}

/** Whether this Escape is for the sidebar: to end its selection or, as a drawer, to close it. */
export function isForSidebar({ key, target, defaultPrevented }: KeyboardEvent): boolean {
  if (key !== 'Escape' || defaultPrevented || !(target instanceof Element)) return false;
  return target === document.body || (target.closest('nav') !== null && !isOverlaid(target));
}
