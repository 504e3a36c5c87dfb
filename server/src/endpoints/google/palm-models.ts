/** The families that answer to Vertex alone, by a service key, and in a way of their own. */
const PALM = /bison|unicorn|gecko/;

export function isPalm(model: string): boolean {
  return PALM.test(model);
}
