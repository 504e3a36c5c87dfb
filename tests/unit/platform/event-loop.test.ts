import { ownTurn } from '@parley/server/platform/event-loop';
import { expect, it } from 'vitest';

it('lets one task go on in a turn of the event loop, in their order', async () => {
  const order: string[] = [];
  const task = async (name: string) => {
    await ownTurn();
    order.push(name);
    for (let step = 0; step < 100; step++) await Promise.resolve();
    order.push(`${name} has worked`);
  };
  const tasks = ['first', 'second', 'third'].map(task);
  let turns = 0;
  const count = () => void (order.push(`turn ${++turns}`), turns < 4 && setImmediate(count));
  setImmediate(count);
  await Promise.all(tasks);
  expect(order.filter((entry) => !entry.startsWith('turn'))).toEqual(
    ['first', 'second', 'third'].flatMap((name) => [name, `${name} has worked`]),
  );
  expect(order.indexOf('turn 1')).toBeLessThan(order.indexOf('second'));
  expect(order.indexOf('turn 2')).toBeLessThan(order.indexOf('third'));
});

it('goes on after all tasks have had their turns', async () => {
  await ownTurn();
  await ownTurn();
  expect(await Promise.all([ownTurn(), ownTurn()])).toHaveLength(2);
});
