/** The model families that only Vertex serves, by a service key, with their own protocol. */
const PALM = /bison|unicorn|gecko/;

export function isPalm(model: string): boolean {
  return PALM.test(model);
}
