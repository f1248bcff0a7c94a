// Draws Mermaid. Fetched when the first diagram is to be shown. What comes out is an address that holds a picture: in an <img> it runs nothing, leads
// nowhere and fetches nothing, whatever stands in it.
import mermaid from 'mermaid';

const LONGEST = 20_000;
let drawn = 0;

/** What a text says about how it is to be drawn: colours, styles and the limits of the program are not its own to choose. */
const asides = /^\s*---\n[^]*?\n---\n|%%\{[^]*?\}%%/g;

/** What could be markup is written as look-alikes: a label is measured in the page before it is a picture. Line breaks and <<names>> of kinds are what diagrams are written with. */
export const harmless = (text: string): string =>
  text
    .replace(/(<br\s*\/?>|<<\w+>>)|<(?=[a-z/!?])/gi, (_, own: string | undefined) => own ?? '‹')
    .replace(/[#&](?=(?:lt|gt|amp|quot|apos|#?\d+|#?x[\da-f]+);)/gi, '＃');

/** A diagram as an address that holds its picture; undefined when it cannot be drawn. */
export async function diagram(text: string, dark: boolean): Promise<string | undefined> {
  const plain = harmless(text.replace(asides, '')).trim();
  if (!plain || plain.length > LONGEST) return undefined;
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    theme: dark ? 'dark' : 'neutral',
    maxTextSize: LONGEST,
    maxEdges: 300,
    suppressErrorRendering: true,
    fontFamily: 'sans-serif',
  });
  // It is measured where nobody looks.
  const desk = document.createElement('div');
  desk.setAttribute('aria-hidden', 'true');
  desk.style.cssText = 'position: fixed; left: -200vw; width: 64rem; visibility: hidden';
  document.body.append(desk);
  try {
    const { svg } = await mermaid.render(`diagram-${++drawn}`, plain, desk);
    return picture(svg);
  } catch {
    return undefined;
  } finally {
    desk.remove();
  }
}

/** The drawing with its own size in it, so that it is as large as it is, and no larger than its place. */
function picture(svg: string): string | undefined {
  const root = new DOMParser().parseFromString(svg, 'text/html').querySelector('svg');
  if (!root) return undefined;
  for (const link of root.querySelectorAll('a')) link.replaceWith(...link.childNodes);
  const [, , width, height] = (root.getAttribute('viewBox') ?? '').split(/[\s,]+/);
  if (width && height) {
    root.setAttribute('width', width);
    root.setAttribute('height', height);
  }
  const bytes = new TextEncoder().encode(new XMLSerializer().serializeToString(root));
  return `data:image/svg+xml;base64,${btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(''))}`;
}
