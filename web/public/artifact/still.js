// Shows a page or a picture that somebody else wrote, without running it. It stands in a frame within this one that has no
// scripts, no origin and, by the policy of this frame, no network. What a policy does not stop (a connection that is only
// prepared, a navigation) is cut out of the markup before.
{
  const GONE = [
    'script',
    'link',
    'meta',
    'base',
    'iframe',
    'frame',
    'frameset',
    'object',
    'embed',
    'portal',
    'fencedframe',
    'applet',
    'template',
    'noscript',
  ];
  /** A link leads nowhere but within the page. */
  const LEADS = ['href', 'xlink:href', 'action', 'formaction', 'ping', 'srcdoc', 'manifest', 'attributionsrc'];
  const HEAD =
    '<!doctype html><meta charset="utf-8"><style>html{background:#fff;color:#000;color-scheme:light}</style>';
  const CENTRED = '<style>body{display:grid;place-items:center;min-height:100vh;margin:0}svg{max-width:100%}</style>';

  window.addEventListener('message', ({ source, data }) => {
    if (source === window.parent) show(data);
  });

  function show({ code, isSvg }) {
    const page = new DOMParser().parseFromString(String(code), 'text/html');
    for (const element of page.querySelectorAll('*')) clean(element);
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', '');
    frame.title = document.title;
    frame.srcdoc = `${HEAD}${isSvg ? CENTRED : ''}${page.documentElement.outerHTML}`;
    document.body.replaceChildren(frame);
  }

  function clean(element) {
    if (GONE.includes(element.localName)) return element.remove();
    // An animation could write a link.
    if (/^(?:set|animate)/.test(element.localName) && /href/i.test(element.getAttribute('attributeName') ?? ''))
      return element.remove();
    for (const name of element.getAttributeNames())
      if (LEADS.includes(name) && !isInside(name, element.getAttribute(name))) element.removeAttribute(name);
  }

  /** A place on the same page, or a picture that is written out. */
  function isInside(name, value) {
    const isLink = name === 'href' || name === 'xlink:href';
    return isLink && (value.startsWith('#') || value.startsWith('data:image/'));
  }
}
