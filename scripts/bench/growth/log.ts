// (p) The log of running answers: CPU of the database with few and with many answers that are written slowly. ANSWERS in
// the environment makes it smaller.
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, printFigures } from '../figures.ts';
import { processCpuMs } from '../process-usage.ts';
import { databaseCpu, openHelpers, openSides, withReaders, type Helpers, type Side } from '../relay.ts';

const COUNTS = [200, Number(process.env.ANSWERS ?? 2000)] as const;
const TOKENS = 150;
/** Milliseconds between two tokens of one answer. */
const PACE = 200;

interface Cost {
  answers: number;
  /** CPU milliseconds per 1,000 tokens. */
  database: number;
  server: number;
  tokensPerSecond: number;
}

/** Prints the table and returns how many targets were missed. */
export async function benchLog(): Promise<number> {
  const costs: Cost[] = [];
  for (const answers of COUNTS) {
    const helpers = await openHelpers();
    const { sides, close } = await openSides(helpers);
    const side = sides.find(({ kind }) => kind === 'parley');
    if (side) costs.push(await measure(helpers, side, answers));
    await close();
    await Promise.all([helpers.load.end(), helpers.provider.end()]);
  }
  const [few] = costs;
  return printFigures(
    `(p) log: answers of ${TOKENS} tokens, one every ${PACE} ms`,
    costs.map((cost) => ({
      name: `${cost.answers} live answers`,
      cells: {
        'database CPU, ms per 1,000 tokens': cost.database.toFixed(1),
        'server CPU': cost.server.toFixed(1),
        'tokens per second': cost.tokensPerSecond.toFixed(0),
      },
      ...(few && cost !== few && { target: atMost(cost.database, few.database, ' ms') }),
    })),
  );
}

async function measure(helpers: Helpers, side: Side, answers: number): Promise<Cost> {
  await withReaders(helpers, side, 1, () => helpers.load.run('parley', 'tokens:50@10'));
  await helpers.load.register(side.url, answers);
  await sleep(1000);
  await helpers.load.open('parley', side.url, answers);
  const before = { server: processCpuMs(side.pid), database: databaseCpu(side) };
  const { took } = await helpers.load.run('parley', `tokens:${TOKENS}@${PACE}`);
  const thousands = (answers * TOKENS) / 1000;
  const cost = {
    answers,
    database: (databaseCpu(side) - before.database) / thousands,
    server: (processCpuMs(side.pid) - before.server) / thousands,
    tokensPerSecond: (thousands * 1000) / (took / 1000),
  };
  await helpers.load.close('parley');
  console.log(`  ${answers} answers measured`);
  return cost;
}
