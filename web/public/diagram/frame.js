// Draws one diagram after the other, in a frame without an origin: it reaches no cookie, no storage, no network and no
// other window. The page sends the source and gets the height and the drawing, which it only ever saves as a file.
/* global mermaid */
{
  /** As the page's own limit. */
  const SOURCE_MAX = 50_000;
  /** Pixels; a taller drawing is scrolled where its page makes no more room. */
  const HEIGHT_MAX = 2_000;
  const FONT = 'system-ui, sans-serif';
  /** As many as a scale of colours has. */
  const SHADES = 12;
  let count = 0;
  /** What is drawn, as it was told last. */
  let told = null;

  window.addEventListener('message', ({ source, data }) => {
    if (source === window.parent) draw(data).then(tell, () => tell({ state: 'failed' }));
  });

  /** Only the newest wish is answered. */
  async function draw({ source, isDark, colours }) {
    const number = ++count;
    // A frame of another scheme than its page's would have a background of its own.
    document.documentElement.style.colorScheme = isDark ? 'dark' : 'light';
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: 'strict',
      suppressErrorRendering: true,
      maxTextSize: SOURCE_MAX,
      theme: 'base',
      themeVariables: { darkMode: isDark, ...variablesOf(colours) },
      fontFamily: FONT,
    });
    const { svg } = await mermaid.render(`diagram-${number}`, String(source));
    if (number !== count) return null;
    document.body.innerHTML = svg;
    document.documentElement.toggleAttribute('data-tall', heightOfDrawing() > HEIGHT_MAX);
    return { state: 'drawn', height: heightOfDrawing(), svg };
  }

  /** The colours of the page in the places that Mermaid has for them. */
  function variablesOf(colours) {
    const { bg, text, muted, edge, code, bubble } = colours;
    const soft = colours['accent-soft'];
    const bright = [colours.accent, colours['hl-k'], colours['hl-f'], colours['hl-s'], colours.warning, muted];
    return {
      fontFamily: FONT,
      background: code,
      primaryColor: soft,
      primaryTextColor: text,
      primaryBorderColor: colours.accent,
      secondaryColor: bubble,
      secondaryTextColor: text,
      secondaryBorderColor: edge,
      tertiaryColor: bg,
      tertiaryTextColor: text,
      tertiaryBorderColor: edge,
      textColor: text,
      titleColor: text,
      lineColor: muted,
      mainBkg: soft,
      nodeBorder: colours.accent,
      clusterBkg: bg,
      clusterBorder: edge,
      edgeLabelBackground: code,
      noteBkgColor: bubble,
      noteTextColor: text,
      noteBorderColor: edge,
      labelBoxBkgColor: bubble,
      labelBoxBorderColor: edge,
      activationBkgColor: bubble,
      activationBorderColor: edge,
      sequenceNumberColor: bg,
      relationLabelBackground: code,
      relationLabelColor: text,
      pieTitleTextColor: text,
      pieLegendTextColor: text,
      pieSectionTextColor: bg,
      pieStrokeColor: code,
      pieOuterStrokeColor: edge,
      pieOpacity: '1',
      ...scale('pie', bright, 1),
      ...scale('cScale', bright, 0),
      ...scale('cScaleLabel', [bg], 0),
      ...scale('cScaleInv', [text], 0),
      ...scale('git', bright, 0),
      ...scale('gitBranchLabel', [bg], 0),
    };
  }

  function scale(name, colours, first) {
    const shades = Array.from({ length: SHADES }, (_, at) => [`${name}${at + first}`, colours[at % colours.length]]);
    return Object.fromEntries(shades);
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
