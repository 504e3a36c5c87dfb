/** Degrees between the hues of two neighbouring letters: neighbours look different. */
const HUE_STEP_DEGREES = 67;

/** A tile with the first letter of a name, as a `data:` address: it loads without a network, so nobody learns of it. */
export function letterIcon(name: string): string {
  const letter = /[a-z\d]/i.exec(name)?.[0].toUpperCase() ?? '?';
  const hue = [...name].reduce((sum, sign) => sum + sign.charCodeAt(0) * HUE_STEP_DEGREES, 0) % 360;
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48">` +
    `<rect width="48" height="48" rx="10" fill="hsl(${hue} 45% 42%)"/>` +
    `<text x="24" y="33" text-anchor="middle" font-family="sans-serif" font-size="25" font-weight="600" fill="#fff">` +
    `${letter}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
