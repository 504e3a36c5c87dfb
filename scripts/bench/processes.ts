// What a second process at the port gains: 200 answers at once from a server of one process and from one of two, in turn.
import { median, printFigures } from './figures.ts';
import { openParley } from './parley-server.ts';
import { openHelpers, type Helpers } from './relay.ts';

const STREAMS = 200;
/** Faster than one process can relay to all. */
const SCENARIO = 'tokens:300@1';
const TOKENS = 300;
const ROUNDS = 3;

interface Sample {
  tokensPerSecond: number;
  /** Milliseconds from sending a question to the first text: the middle one, and the slowest of all. */
  firstText: number;
  lastFirstText: number;
}

/** Prints the table; there is no target, since the figures are those of this machine's cores. Returns 0. */
export async function benchProcesses(): Promise<number> {
  const helpers = await openHelpers();
  const counts = ['1', '2'];
  const servers = await Promise.all(
    counts.map((PROCESSES) => openParley(helpers.providerUrl, { PROCESSES, DATABASE_POOL_SIZE: '5' })),
  );
  const samples: Sample[][] = counts.map(() => []);
  try {
    // The first round warms up.
    for (let round = 0; round <= ROUNDS; round++)
      for (const [n, { server }] of servers.entries()) {
        const one = await sample(helpers, server.url);
        if (round > 0) samples[n]?.push(one);
      }
  } finally {
    await Promise.all(servers.map((server) => server.close()));
    await Promise.all([helpers.load.end(), helpers.provider.end()]);
  }
  const middle = (n: number, key: keyof Sample) => median((samples[n] ?? []).map((one) => one[key]));
  const row = (name: string, key: keyof Sample) => ({
    name,
    cells: { 'one process': middle(0, key).toFixed(0), 'two processes': middle(1, key).toFixed(0) },
  });
  return printFigures(`processes: ${STREAMS} answers of ${TOKENS} tokens at once`, [
    row('tokens a second', 'tokensPerSecond'),
    row('first text, ms', 'firstText'),
    row('first text of the last answer, ms', 'lastFirstText'),
  ]);
}

async function sample({ load }: Helpers, url: string): Promise<Sample> {
  await load.open('parley', url, STREAMS);
  const { took, readings } = await load.run('parley', SCENARIO);
  await load.close('parley');
  const waits = readings.map(({ sentAt, firstTextAt }) => firstTextAt - sentAt);
  return {
    tokensPerSecond: (STREAMS * TOKENS) / (took / 1000),
    firstText: median(waits),
    lastFirstText: Math.max(...waits),
  };
}
