import type { Page } from 'playwright-core';

/** The layout shifts of a page while something loads or opens it, summed as the browser counts them. */
export async function shiftsWhile(page: Page, act: () => Promise<unknown>): Promise<number> {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await act();
  // The script above has put it there.
  const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
  return shifts.reduce((sum, shift) => sum + shift, 0);
}
