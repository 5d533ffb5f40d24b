type Rgb = readonly [red: number, green: number, blue: number];

const canvas = document.createElement('canvas');
canvas.width = canvas.height = 1;
const pen = canvas.getContext('2d', { willReadFrequently: true });

/** What a colour, in any notation, is on top of an opaque one. */
function painted(color: string, below: Rgb): Rgb {
  if (pen === null) throw new Error('There is no canvas.');
  pen.fillStyle = `rgb(${below.join(' ')})`;
  pen.fillRect(0, 0, 1, 1);
  pen.fillStyle = color;
  pen.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = pen.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}

/** The background that is seen behind an element's text, through shadow trees. */
function backgroundOf(element: Element | null): Rgb {
  if (element === null) return [255, 255, 255];
  const { parentNode, assignedSlot } = element;
  const above = assignedSlot ?? (parentNode instanceof ShadowRoot ? parentNode.host : element.parentElement);
  // What is in the top layer does not lie on its ancestors, but is opaque anyway.
  return painted(getComputedStyle(element).backgroundColor, backgroundOf(above));
}

/** WCAG 2's relative luminance. */
function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function ratio(one: Rgb, other: Rgb): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

/** The contrast of an element's text with what is behind it: 1 to 21, by WCAG 2. */
export function textContrast(element: Element): number {
  const background = backgroundOf(element);
  return ratio(painted(getComputedStyle(element).color, background), background);
}

/** The contrast of a line or a sign with what is behind `element`. */
export function contrastWith(color: string, element: Element | null): number {
  const background = backgroundOf(element);
  return ratio(painted(color, background), background);
}
