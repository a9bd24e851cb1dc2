import { describe, expect, it } from 'vitest';
import { dark, gray } from './palette.ts';
import { accountColors, applicationColors, chartColor } from './status-colors.ts';

type Rgb = readonly [number, number, number];

/** Background and text of a card in each mode, as in the theme. */
const modes = [
  { mode: 'light', index: 0, body: '#ffffff', text: gray[9] },
  { mode: 'dark', index: 1, body: dark[7], text: dark[0] },
] as const;

/** The share of the colour in a pill's surface and text, as mixed by status-pill.module.css. */
const [surfaceShare, textShare] = [0.15, 0.45];

function rgbOf(hex: string): Rgb {
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return [r ?? Number.NaN, g ?? Number.NaN, b ?? Number.NaN];
}

function mix(color: string, share: number, other: string): Rgb {
  const [[r, g, b], [x, y, z]] = [rgbOf(color), rgbOf(other)];
  return [r * share + x * (1 - share), g * share + y * (1 - share), b * share + z * (1 - share)];
}

function linear([r, g, b]: Rgb): Rgb {
  const one = (value: number) =>
    value / 255 <= 0.040_45 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
  return [one(r), one(g), one(b)];
}

/** The WCAG contrast of two colours. */
function contrast(one: Rgb, other: Rgb): number {
  const [a, b] = [one, other].map((color) => {
    const [r, g, b] = linear(color);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  });
  return Math.max((a ?? 0) / (b ?? 1), (b ?? 0) / (a ?? 1));
}

/** How different two colours look: their distance in OKLab, where 0.02 is just noticeable. */
function distance(one: string, other: string): number {
  const [a, b] = [oklab(one), oklab(other)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

function oklab(hex: string): Rgb {
  const [r, g, b] = linear(rgbOf(hex));
  const l = Math.cbrt(0.412_221 * r + 0.536_333 * g + 0.051_446 * b);
  const m = Math.cbrt(0.211_903 * r + 0.680_7 * g + 0.107_397 * b);
  const s = Math.cbrt(0.088_302 * r + 0.281_719 * g + 0.629_979 * b);
  return [
    0.210_454 * l + 0.793_618 * m - 0.004_072 * s,
    1.977_998 * l - 2.428_592 * m + 0.450_594 * s,
    0.025_904 * l + 0.782_772 * m - 0.808_676 * s,
  ];
}

const JUST_SEEN = 0.02;
const tables = [
  ['applications', Object.entries(applicationColors)],
  ['accounts', Object.entries(accountColors)],
] as const;

describe.each(modes)('in $mode mode', ({ index, body, text }) => {
  it.each(tables)('no two statuses of %s look alike', (_, table) => {
    for (const [name, colors] of table)
      for (const [other, others] of table)
        if (name !== other)
          expect([name, other, distance(colors[index], others[index]) > 4 * JUST_SEEN]).toEqual([name, other, true]);
  });

  it.each(tables)('every pill and bar of %s can be read', (_, table) => {
    for (const [name, colors] of table) {
      const surface = mix(colors[index], surfaceShare, body);
      expect(contrast(mix(colors[index], textShare, text), surface), `${name}: text`).toBeGreaterThanOrEqual(4.5);
      expect(contrast(rgbOf(colors[index]), rgbOf(body)), `${name}: bar`).toBeGreaterThanOrEqual(3);
    }
  });
});

it('a chart names both colours', () => {
  expect(chartColor('Overdue')).toBe('light-dark(#c21725,#f54748)');
});
