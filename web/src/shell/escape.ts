/** Whether a dialog or a menu lies over the page here, which then has the first word on Escape. */
function isOverlaid(target: Element): boolean {
  return target.closest('[role=menu], [role=dialog]') !== null;
}

/** Whether Escape, pressed here, is meant for the sidebar: for what is selected in it or, when it is a drawer, itself. */
export function isForSidebar({ key, target, defaultPrevented }: KeyboardEvent): boolean {
  if (key !== 'Escape' || defaultPrevented || !(target instanceof Element)) return false;
  return target === document.body || (target.closest('nav') !== null && !isOverlaid(target));
}
