// What a person sees of a screen whose colours the system has replaced: only lines and system colours are left.
import type { Page } from 'playwright-core';

/** What is chosen, on, or typed into, and has no line around it or in it that tells so. */
export function unmarked(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const CHOSEN =
      '[aria-selected=true], [aria-pressed=true], [aria-checked=true], [aria-current]:not([aria-current=false]), :checked:not(option)';
    const FIELDS = 'input:not([type=hidden], [type=file], [type=range]), textarea, select, [role=switch]';
    const layers = [...document.querySelectorAll('[role=dialog], [aria-modal=true]')];
    const root = layers.at(-1) ?? document.body;
    return [...root.querySelectorAll<HTMLElement>(`${CHOSEN}, ${FIELDS}`)]
      .filter((one) => isShown(one) && ![one, ...around(one)].some(isLined))
      .map((one) => one.outerHTML.slice(0, 200));

    function isShown(one: HTMLElement): boolean {
      const box = [one, ...around(one)].find((each) => each.getBoundingClientRect().width > 1);
      return box !== undefined && one.checkVisibility({ visibilityProperty: true });
    }

    /** A switch or a box is drawn beside its input; a field may have its frame around it. */
    function around(one: HTMLElement): Element[] {
      const beside = [one.nextElementSibling, one.previousElementSibling];
      return [...beside, one.parentElement, one.parentElement?.parentElement].filter((each) => each instanceof Element);
    }

    function isLined(one: Element): boolean {
      const style = getComputedStyle(one);
      // The system draws its own boxes.
      if (one.matches('[type=checkbox], [type=radio]') && style.appearance !== 'none') return true;
      const isDrawn = (kind: string, width: string, colour: string) =>
        kind !== 'none' && kind !== 'hidden' && parseFloat(width) > 0 && !/^rgba\(.*, 0\)$/.test(colour);
      if (isDrawn(style.outlineStyle, style.outlineWidth, style.outlineColor)) return true;
      return (['Top', 'Bottom', 'Left', 'Right'] as const).some((side) =>
        isDrawn(style[`border${side}Style`], style[`border${side}Width`], style[`border${side}Color`]),
      );
    }
  });
}

/** What takes the focus by key, and looks as before when it has it. */
export async function unfocused(page: Page): Promise<string[]> {
  // From a key on, a focus is shown.
  await page.keyboard.press('Shift');
  return page.evaluate(async () => {
    const before = document.activeElement;
    const layers = [...document.querySelectorAll('[role=dialog], [aria-modal=true]')];
    const root = layers.at(-1) ?? document.body;
    const all = [...root.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, [tabindex="0"]')];
    const found: string[] = [];
    for (const one of all.filter(isReached)) {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      const was = looks(one);
      one.focus({ preventScroll: true });
      if (document.activeElement === one && looks(one) === was) found.push(one.outerHTML.slice(0, 200));
    }
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    return found;

    function isReached(one: HTMLElement): boolean {
      return (
        one.tabIndex >= 0 && !(one as HTMLButtonElement).disabled && one.checkVisibility({ visibilityProperty: true })
      );
    }

    /** The lines of it and of what it is drawn with. */
    function looks(one: HTMLElement): string {
      const drawn = [
        one,
        one.nextElementSibling,
        one.parentElement,
        one.parentElement?.parentElement,
        one.closest('form'),
      ];
      return drawn
        .filter((each) => each instanceof Element)
        .flatMap((each) => [getComputedStyle(each), getComputedStyle(each, '::after')])
        .map(({ outlineStyle, outlineWidth, borderTopColor, borderTopWidth, borderBottomWidth, content }) => [
          ...(outlineStyle === 'none' ? [] : [outlineStyle, outlineWidth]),
          borderTopColor,
          borderTopWidth,
          borderBottomWidth,
          content,
        ])
        .join();
    }
  });
}
