// Draws one diagram after the other, in a frame without an origin: it reaches no cookie, no storage, no network and no
// other window. The page sends the source and gets the height and the drawing, which it only ever saves as a file.
/* global mermaid */
{
  /** As the page's own limit. */
  const SOURCE_MAX = 50_000;
  let count = 0;
  /** What is drawn, as it was told last. */
  let told = null;

  window.addEventListener('message', ({ source, data }) => {
    if (source === window.parent) draw(data).then(tell, () => tell({ state: 'failed' }));
  });

  /** Only the newest wish is answered. */
  async function draw({ source, isDark }) {
    const number = ++count;
    // A frame of another scheme than its page's would have a background of its own.
    document.documentElement.style.colorScheme = isDark ? 'dark' : 'light';
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: 'strict',
      suppressErrorRendering: true,
      maxTextSize: SOURCE_MAX,
      theme: isDark ? 'dark' : 'default',
      fontFamily: 'system-ui, sans-serif',
    });
    const { svg } = await mermaid.render(`diagram-${number}`, String(source));
    if (number !== count) return null;
    document.body.innerHTML = svg;
    return { state: 'drawn', height: heightOfDrawing(), svg };
  }

  // A drawing that is as wide as the frame has another height in another width.
  window.addEventListener('resize', () => {
    if (told?.state === 'drawn' && told.height !== heightOfDrawing()) tell({ ...told, height: heightOfDrawing() });
  });

  function heightOfDrawing() {
    return Math.ceil(document.body.firstElementChild.getBoundingClientRect().height);
  }

  function tell(news) {
    if (!news) return;
    told = news;
    window.parent.postMessage(news, '*');
  }
}
