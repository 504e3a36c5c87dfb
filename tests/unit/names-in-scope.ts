// How many names the functions of a source bind: parameters, and what is declared in their own body, also in its blocks.
// What a function inside of it binds is that one's.
import { parseSync } from 'vite';

export interface FunctionNames {
  name: string;
  bound: number;
}

/** What is read of a syntax node. */
interface SyntaxNode {
  type?: string;
  id?: SyntaxNode | null;
  key?: SyntaxNode;
  name?: string;
  params?: SyntaxNode[];
  body?: SyntaxNode | SyntaxNode[];
  param?: SyntaxNode | null;
  declarations?: SyntaxNode[];
}

export function namesInFunctions(file: string, text: string): FunctionNames[] {
  const found: FunctionNames[] = [];
  const open: [node: unknown, around: string][] = [[parseSync(file, text).program, '']];
  while (open.length > 0) {
    const [node, around = ''] = open.pop() ?? [];
    if (!isNode(node)) continue;
    const name = node.id?.name ?? node.key?.name ?? around;
    if (isFunction(node)) {
      found.push({ name, bound: new Set(namesOf(node)).size });
    }
    open.push(...Object.values(node).map((child): [unknown, string] => [child, name]));
  }
  return found;
}

/** Of each function how many names it, and the functions around it, bind: what a reader of it may have to look up. */
export function namesInReach(program: unknown): { name: string; reach: number }[] {
  const found: { name: string; reach: number }[] = [];
  const open: [node: unknown, around: string, bound: readonly string[]][] = [[program, '', []]];
  while (open.length > 0) {
    const [node, around = '', outer = []] = open.pop() ?? [];
    if (!isNode(node)) continue;
    const name = node.id?.name ?? node.key?.name ?? around;
    const bound = isFunction(node) ? [...outer, ...namesOf(node)] : outer;
    if (isFunction(node)) found.push({ name, reach: new Set(bound).size });
    open.push(...Object.values(node).map((child): [unknown, string, readonly string[]] => [child, name, bound]));
  }
  return found;
}

function namesOf({ params = [], body }: SyntaxNode): string[] {
  return [...params.flatMap(boundBy), ...declaredIn(body)];
}

function isNode(node: unknown): node is SyntaxNode {
  return typeof node === 'object' && node !== null && !(node instanceof RegExp);
}

function isFunction({ type, body }: SyntaxNode): boolean {
  return body !== undefined && /Function/.test(type ?? '');
}

/** The names of a parameter, or of what stands at the left of a declaration. */
function boundBy(pattern: SyntaxNode): string[] {
  const names: string[] = [];
  const open: unknown[] = [pattern];
  while (open.length > 0) {
    const node = open.pop();
    if (!isNode(node)) continue;
    if (node.type === 'Identifier') names.push(node.name ?? '');
    else if (node.type === 'AssignmentPattern') open.push(Reflect.get(node, 'left'));
    else if (node.type === 'Property') open.push(Reflect.get(node, 'value'));
    else if (node.type === 'TSParameterProperty') open.push(Reflect.get(node, 'parameter'));
    else open.push(...Object.values(node).filter(isNode));
  }
  return names;
}

function declaredIn(body: unknown): string[] {
  const names: string[] = [];
  const open: unknown[] = [body];
  while (open.length > 0) {
    const node = open.pop();
    if (!isNode(node)) continue;
    if (node.type === 'VariableDeclarator' && node.id) names.push(...boundBy(node.id));
    if (node.type === 'CatchClause' && node.param) names.push(...boundBy(node.param));
    if (/^(Function|Class)Declaration$/.test(node.type ?? '')) names.push(node.id?.name ?? '');
    if (!isFunction(node) && node.type?.startsWith('TS') !== true) open.push(...Object.values(node));
  }
  return names;
}
