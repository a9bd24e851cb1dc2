import type { MantineColorsTuple } from '@mantine/core';

/**
 * The colours of every screen, from lightest to darkest. Filled elements use shade 7 in light mode and 6 in dark mode.
 * White text on either, 9 on 1 (pills in light mode) and 4 on dark surfaces all have a contrast of at least 4.5 : 1.
 */

export const gray: MantineColorsTuple = [
  '#f7f8fa',
  '#eff1f4',
  '#e6e9ed',
  '#dce0e6',
  '#c9cfd7',
  '#868f9c',
  '#5f6875',
  '#454d59',
  '#323943',
  '#1e232a',
];

/** The shades for dark mode: text, quiet text, field borders, hairlines, surfaces and the page. */
export const dark: MantineColorsTuple = [
  '#dde1e6',
  '#c3c9d1',
  '#9aa3af',
  '#7f8895',
  '#363b42',
  '#2f343a',
  '#23272c',
  '#1b1c1f',
  '#141517',
  '#0e0f11',
];

export const blue: MantineColorsTuple = [
  '#eef4fc',
  '#dce8f8',
  '#b9d0ef',
  '#92b5e4',
  '#6f9dda',
  '#4f86cf',
  '#3a73c0',
  '#2b62ad',
  '#1f5196',
  '#173f77',
];

export const green: MantineColorsTuple = [
  '#edf7f0',
  '#d8eede',
  '#b2dcbe',
  '#87c89b',
  '#5fb27a',
  '#3f9a5e',
  '#2e8550',
  '#227144',
  '#1a5f39',
  '#134a2c',
];

export const red: MantineColorsTuple = [
  '#fdf0f0',
  '#fadddd',
  '#f3b8b8',
  '#ec9090',
  '#e66d6d',
  '#dc4f4f',
  '#cb3a3a',
  '#b52c2c',
  '#9c2323',
  '#7d1a1a',
];

export const yellow: MantineColorsTuple = [
  '#fdf6e3',
  '#faeac0',
  '#f4d689',
  '#ecbf52',
  '#dfa62b',
  '#c68c14',
  '#996a0a',
  '#8a5d09',
  '#724c08',
  '#573a06',
];

export const orange: MantineColorsTuple = [
  '#fdf3ec',
  '#fbe3d2',
  '#f5c4a0',
  '#eea16b',
  '#e6823f',
  '#d66a22',
  '#bb5816',
  '#9c4811',
  '#823c10',
  '#632d0b',
];
