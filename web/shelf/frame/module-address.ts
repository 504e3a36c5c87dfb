// Modules of the shelf for pages that import them: each is a small module that hands on what its part has.

/** What the parts have, by the names of modules. */
export type Modules = Record<string, Readonly<Record<string, unknown>>>;

const addresses = new Map<string, string>();

/** The address of a module; of null, of one that tells that nothing is there. */
export function moduleAddress(name: string | null, modules: Modules): string {
  const known = addresses.get(name ?? '');
  if (known !== undefined) return known;
  const module = name === null ? undefined : modules[name];
  const code = name !== null && module ? handOn(name, module) : 'throw new Error("This library is not on the shelf.");';
  const address = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
  addresses.set(name ?? '', address);
  return address;
}

function handOn(name: string, module: object): string {
  const names = Object.keys(module).filter((one) => one !== 'default' && /^[A-Za-z_$][\w$]*$/.test(one));
  const lines = names.map((one, n) => `const v${n} = all[${JSON.stringify(one)}]; export { v${n} as ${one} };`);
  return `const all = window.artifactParts.modules[${JSON.stringify(name)}];
export default all.default ?? all;
${lines.join('\n')}`;
}
