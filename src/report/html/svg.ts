import { html } from './escape.ts';

/** Width in user units of every picture; CSS scales it. */
export const pictureWidth = 720;

/** A picture with a name that a screen reader says. `shapes` are made by the functions below. */
export function picture(name: string, height: number, shapes: readonly string[]): string {
  return `<div class="picture" tabindex="0" role="group" aria-label="picture"><svg role="img" viewBox="0 0 ${pictureWidth} ${round(height)}" aria-label="${html(name)}"><title>${html(name)}</title>${shapes.join('')}</svg></div>`;
}

export function rect(x: number, y: number, width: number, height: number, kind: string, tip = ''): string {
  return element('rect', `x="${round(x)}" y="${round(y)}" width="${round(Math.max(width, 0.5))}" height="${round(height)}" rx="2" class="${kind}"`, tip);
}

export function line(x1: number, y1: number, x2: number, y2: number, kind: string, tip = ''): string {
  return element('line', `x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" class="${kind}"`, tip);
}

export function label(x: number, y: number, text: string, kind = '', anchor: 'start' | 'middle' | 'end' = 'start', tip = ''): string {
  const title = tip === '' || tip === text ? '' : `<title>${html(tip)}</title>`;
  return `<text x="${round(x)}" y="${round(y)}"${anchor === 'start' ? '' : ` text-anchor="${anchor}"`}${kind === '' ? '' : ` class="${kind}"`}>${title}${html(text)}</text>`;
}

/** A small triangle that points down at (x, y). */
export function pointer(x: number, y: number, kind: string, tip = ''): string {
  return element('path', `d="M${round(x - 5)} ${round(y - 8)}h10l-5 8z" class="${kind}"`, tip);
}

function element(name: 'rect' | 'line' | 'path', attributes: string, tip: string): string {
  return tip === '' ? `<${name} ${attributes}/>` : `<${name} ${attributes}><title>${html(tip)}</title></${name}>`;
}

/** An arc from one place of a row to another, above it; below it with a negative `height` (user units). */
export function arc(x1: number, x2: number, y: number, kind: string, height = Math.min(34, 8 + Math.abs(x2 - x1) / 8)): string {
  return `<path d="M${round(x1)} ${round(y)}C${round(x1)} ${round(y - height)} ${round(x2)} ${round(y - height)} ${round(x2)} ${round(y)}" class="${kind}"/>`;
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
