// The programs that the parts of the shelf are built from. Each is one script that leaves what it has in
// `window.artifactParts.modules`, by the names that `schema/src/artifacts/shelf/addresses.ts` gives its modules, and under
// the global name by which pages know it.
import type { PartName } from '@parley/schema/artifacts/shelf/libraries';

const OPEN = `const parts = (window.artifactParts ??= {});
  const modules = (parts.modules ??= {});
  const add = (name, module) => { modules[name] = module; };`;

/** Those that pages and apps are usually made with; a whole copy would be ten times as large. */
const THREE_ADDONS = [
  'controls/ArcballControls',
  'controls/DragControls',
  'controls/FirstPersonControls',
  'controls/FlyControls',
  'controls/MapControls',
  'controls/OrbitControls',
  'controls/PointerLockControls',
  'controls/TrackballControls',
  'controls/TransformControls',
  'environments/RoomEnvironment',
  'geometries/ConvexGeometry',
  'geometries/ParametricGeometry',
  'geometries/RoundedBoxGeometry',
  'geometries/TeapotGeometry',
  'geometries/TextGeometry',
  'libs/lil-gui.module.min',
  'libs/stats.module',
  'libs/tween.module',
  'lines/Line2',
  'lines/LineGeometry',
  'lines/LineMaterial',
  'lines/LineSegments2',
  'lines/LineSegmentsGeometry',
  'loaders/FontLoader',
  'loaders/GLTFLoader',
  'loaders/OBJLoader',
  'loaders/STLLoader',
  'loaders/SVGLoader',
  'math/ImprovedNoise',
  'math/MeshSurfaceSampler',
  'math/SimplexNoise',
  'objects/Lensflare',
  'objects/MarchingCubes',
  'objects/Reflector',
  'objects/Sky',
  'objects/Water',
  'postprocessing/AfterimagePass',
  'postprocessing/BloomPass',
  'postprocessing/BokehPass',
  'postprocessing/EffectComposer',
  'postprocessing/FilmPass',
  'postprocessing/GlitchPass',
  'postprocessing/OutlinePass',
  'postprocessing/OutputPass',
  'postprocessing/RenderPass',
  'postprocessing/RenderPixelatedPass',
  'postprocessing/ShaderPass',
  'postprocessing/UnrealBloomPass',
  'renderers/CSS2DRenderer',
  'renderers/CSS3DRenderer',
  'shaders/CopyShader',
  'shaders/FXAAShader',
  'shaders/LuminosityHighPassShader',
  'shaders/RGBShiftShader',
  'utils/BufferGeometryUtils',
  'utils/SkeletonUtils',
];

/** Those that are not here are files of their packages as they are. */
export const ENTRIES: Readonly<Record<Exclude<PartName, 'mermaid' | 'p5'>, string>> = {
  react: `
    import * as React from 'react';
    import * as dom from 'react-dom';
    import * as client from 'react-dom/client';
    import * as jsx from 'react/jsx-runtime';
    ${OPEN}
    add('react', React);
    add('react-dom', dom);
    add('react-dom/client', client);
    add('react/jsx-runtime', jsx);
    window.React = React;
    const roots = new WeakMap();
    // Pages of React 17 call what React 19 has no more.
    const render = (element, place) => {
      const root = roots.get(place) ?? client.createRoot(place);
      roots.set(place, root);
      root.render(element);
    };
    window.ReactDOM = { ...dom, ...client, render };
    parts.show = (shown, place, onError) => {
      const root = client.createRoot(place, { onUncaughtError: onError, onRecoverableError: onError });
      const isComponent = typeof shown === 'function' || [Symbol.for('react.memo'), Symbol.for('react.forward_ref')].includes(shown.$$typeof);
      root.render(isComponent ? React.createElement(shown) : shown);
    };`,
  sucrase: `
    import { transform } from 'sucrase';
    ${OPEN}
    const app = { transforms: ['typescript', 'jsx', 'imports'], jsxRuntime: 'automatic', production: true };
    const script = { transforms: ['typescript', 'jsx'], jsxRuntime: 'classic', production: true };
    parts.transform = (code) => transform(code, app);
    parts.transformScript = (code) => transform(code, script).code;
    window.Babel = { transform: (code) => ({ code: parts.transformScript(code) }), registerPreset() {}, transformScriptTags() {} };
    add('sucrase', window.Babel);`,
  d3: `
    import * as d3 from 'd3';
    ${OPEN}
    add('d3', d3);
    window.d3 = d3;`,
  chart: `
    import Chart, * as all from 'chart.js/auto';
    ${OPEN}
    Chart.register(...all.registerables ?? []);
    window.Chart = Chart;
    add('chart.js', { ...all, Chart, default: Chart });`,
  three: `
    import * as THREE from 'three';
    ${THREE_ADDONS.map((path, n) => `import * as addon${n} from 'three/addons/${path}.js';`).join('\n')}
    ${OPEN}
    add('three', THREE);
    const addons = { ${THREE_ADDONS.map((path, n) => `'three/addons/${path}.js': addon${n}`).join(', ')} };
    for (const [name, addon] of Object.entries(addons)) add(name, addon);
    // Older pages find the addons beside what is three's own.
    window.THREE = Object.assign({}, ...Object.values(addons), THREE);`,
  recharts: `
    import * as recharts from 'recharts';
    ${OPEN}
    add('recharts', recharts);
    window.Recharts = recharts;`,
  'lucide-react': `
    import * as icons from 'lucide-react';
    ${OPEN}
    // An icon that has another name in this version must not keep an app from being drawn.
    const isIcon = (name) => typeof name === 'string' && /^[A-Z]/.test(name);
    add('lucide-react', new Proxy(icons, { get: (all, name) => all[name] ?? (isIcon(name) ? all.Square : undefined) }));
    window.LucideReact = modules['lucide-react'];`,
  lucide: `
    import * as lucide from 'lucide';
    ${OPEN}
    // A page by its script tag names none of the icons.
    const createIcons = (options = {}) => lucide.createIcons({ icons: lucide.icons, ...options });
    add('lucide', { ...lucide, createIcons });
    window.lucide = modules.lucide;`,
  papaparse: `
    import Papa from 'papaparse';
    ${OPEN}
    add('papaparse', { ...Papa, default: Papa });
    window.Papa = Papa;`,
  tailwind: `
    import '@tailwindcss/browser';
    ${OPEN}
    add('tailwind', {});`,
  ui: `
    import { UI_MODULES } from './ui/modules.ts';
    ${OPEN}
    for (const [name, module] of Object.entries(UI_MODULES)) add(name, module);`,
};
