// What something costs the browser, in numbers that a busy machine does not change, or hardly.
import type { CDPSession, Page } from 'playwright-core';

export interface Work {
  /** Functions that the page's own scripts called. */
  calls: number;
  /** Milliseconds that the main thread worked; they begin anew with each load of a page. */
  time: number;
}

export interface Meter {
  measure(act: () => Promise<void>): Promise<Work>;
}

export async function openMeter(page: Page): Promise<Meter> {
  const devtools = await page.context().newCDPSession(page);
  // The thread's own clock stands still while other programs have the processor.
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  await devtools.send('Profiler.enable');
  return {
    async measure(act) {
      await devtools.send('Profiler.startPreciseCoverage', { callCount: true });
      const before = await taskTime(devtools);
      await act();
      const time = (await taskTime(devtools)) - before;
      const calls = await countCalls(devtools);
      await devtools.send('Profiler.stopPreciseCoverage');
      return { calls, time };
    },
  };
}

async function taskTime(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN) * 1000;
}

/** Those of the tests have no address and are not counted. */
async function countCalls(devtools: CDPSession): Promise<number> {
  const { result } = await devtools.send('Profiler.takePreciseCoverage');
  const functions = result.filter(({ url }) => url.includes('/assets/')).flatMap((script) => script.functions);
  return functions.reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
}
