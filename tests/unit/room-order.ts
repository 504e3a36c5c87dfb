// The order of rooms in which the fewest imports lead back up, and the largest group that import each other in a circle.

/** From which room an import leads to which other one. */
export type Arrow = readonly [from: string, to: string];

/**
 * The rooms from the top to the bottom, the arrows that lead `back` up in that order, and the largest strongly connected
 * component. The order is that of Eades, Lin and Smyth, with each room then moved to its best position until none is left
 * to move: not surely the best, but the same for the same arrows.
 */
export function orderRooms(imports: readonly Arrow[]): { order: string[]; back: Arrow[]; knot: string[] } {
  const others = imports.filter(([from, to]) => from !== to);
  const arrows = [...new Map(others.map((arrow) => [arrow.join(' > '), arrow])).values()];
  const order = movedToBest(greedyOrder(arrows), arrows);
  return { order, back: leadingBack(order, arrows), knot: largestKnot(order, arrows) };
}

function leadingBack(order: readonly string[], arrows: readonly Arrow[]): Arrow[] {
  const positions = new Map(order.map((room, position) => [room, position]));
  return arrows.filter(([from, to]) => (positions.get(to) ?? 0) < (positions.get(from) ?? 0));
}

/** To the bottom what imports nothing, to the top what nothing imports, else what imports most beyond its importers. */
function greedyOrder(arrows: readonly Arrow[]): string[] {
  const left = new Set(arrows.flat().toSorted());
  const [top, bottom]: [string[], string[]] = [[], []];
  while (left.size > 0) {
    const open = arrows.filter((arrow) => arrow.every((room) => left.has(room)));
    const count = (room: string, end: 0 | 1) => open.filter((arrow) => arrow[end] === room).length;
    const surplus = (room: string) => (count(room, 1) === 0 ? Infinity : count(room, 0) - count(room, 1));
    const lowest = [...left].find((room) => count(room, 0) === 0);
    const next = lowest ?? [...left].reduce((best, room) => (surplus(room) > surplus(best) ? room : best));
    left.delete(next);
    if (lowest === undefined) top.push(next);
    else bottom.unshift(next);
  }
  return [...top, ...bottom];
}

function movedToBest(order: string[], arrows: readonly Arrow[]): string[] {
  for (const room of order.toSorted()) {
    const others = order.filter((one) => one !== room);
    const tried = order.map((_, position) => others.toSpliced(position, 0, room));
    const counts = tried.map((one) => leadingBack(one, arrows).length);
    const best = counts.indexOf(Math.min(...counts));
    if ((counts[best] ?? 0) < leadingBack(order, arrows).length) return movedToBest(tried[best] ?? order, arrows);
  }
  return order;
}

function largestKnot(rooms: readonly string[], arrows: readonly Arrow[]): string[] {
  const reached = new Map(rooms.map((room) => [room, new Set([room])]));
  for (const seen of reached.values())
    for (const room of seen) for (const [from, to] of arrows) if (from === room) seen.add(to);
  const knots = rooms.map((room) => rooms.filter((one) => reached.get(room)?.has(one) && reached.get(one)?.has(room)));
  return knots.reduce((largest, one) => (one.length > largest.length ? one : largest), []);
}
