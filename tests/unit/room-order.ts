// The order of rooms in which the fewest imports lead back up, and the largest group that import each other in a circle.

/** From which room an import leads to which other one. */
export type Arrow = readonly [from: string, to: string];

export interface RoomOrder {
  /** From the top to the bottom: most import only what stands after them. */
  order: string[];
  /** The arrows from a room to one that stands before it. */
  back: Arrow[];
  /** The largest strongly connected component. */
  knot: string[];
}

/**
 * Exact orders take too long: this is that of Eades, Lin and Smyth, in which each room is then moved to its best place
 * until none is left to move. The same arrows always give the same order.
 */
export function orderRooms(imports: Iterable<Arrow>): RoomOrder {
  const arrows = [...new Map([...imports].filter(([from, to]) => from !== to).map((one) => [one.join(' > '), one]))]
    .map(([, one]) => one)
    .toSorted((a, b) => (a.join(' > ') < b.join(' > ') ? -1 : 1));
  const order = placeBest(greedyOrder(arrows), arrows);
  return { order, back: leadingBack(order, arrows), knot: largestKnot(order, arrows) };
}

function leadingBack(order: readonly string[], arrows: readonly Arrow[]): Arrow[] {
  const at = new Map(order.map((room, place) => [room, place]));
  return arrows.filter(([from, to]) => (at.get(to) ?? 0) < (at.get(from) ?? 0));
}

/** Takes what nothing imports to the top, what imports nothing to the bottom, and else what imports most beyond its importers. */
function greedyOrder(arrows: readonly Arrow[]): string[] {
  const left = new Set(arrows.flat().toSorted());
  const [top, bottom]: [string[], string[]] = [[], []];
  while (left.size > 0) {
    const open = arrows.filter(([from, to]) => left.has(from) && left.has(to));
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

function placeBest(order: string[], arrows: readonly Arrow[]): string[] {
  for (const room of order.toSorted()) {
    const others = order.filter((one) => one !== room);
    const tried = order.map((_, place) => others.toSpliced(place, 0, room));
    const counts = tried.map((one) => leadingBack(one, arrows).length);
    const least = Math.min(...counts);
    if (least < leadingBack(order, arrows).length) return placeBest(tried[counts.indexOf(least)] ?? order, arrows);
  }
  return order;
}

function largestKnot(rooms: readonly string[], arrows: readonly Arrow[]): string[] {
  const reach = (start: string) => {
    const seen = new Set<string>([start]);
    for (const room of seen) for (const [from, to] of arrows) if (from === room) seen.add(to);
    return seen;
  };
  const reached = new Map(rooms.map((room) => [room, reach(room)]));
  const knots = rooms.map((room) => [...(reached.get(room) ?? [])].filter((one) => reached.get(one)?.has(room)));
  return knots.reduce((largest, one) => (one.length > largest.length ? one : largest), []);
}
