// Browser costs in numbers that a busy machine (nearly) does not change.
import type { CDPSession, Page } from 'playwright-core';

export interface CpuUse {
  /** Calls of functions in the page's own scripts. */
  calls: number;
  /** Milliseconds of main-thread work; resets with each page load. */
  time: number;
}

export interface CpuMeter {
  measure(act: () => Promise<void>): Promise<CpuUse>;
}

export async function openCpuMeter(page: Page): Promise<CpuMeter> {
  const devtools = await page.context().newCDPSession(page);
  // Thread time does not advance while other programs have the processor.
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

/** Test scripts have no URL and are not counted. */
async function countCalls(devtools: CDPSession): Promise<number> {
  const { result } = await devtools.send('Profiler.takePreciseCoverage');
  const functions = result.filter(({ url }) => url.includes('/assets/')).flatMap((script) => script.functions);
  return functions.reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
}
