import { describe, expect, it } from 'vitest';
import { usedStyles } from './used-styles.ts';

const html = '<div class="card wide" style="color:var(--ink)"><p class="text">…</p></div>';

describe('usedStyles', () => {
  it('keeps rules with a selector of only occurring classes, in any state', () => {
    expect(usedStyles('.card{a:b}', html)).toBe('.card{a:b}');
    expect(usedStyles('.gone{a:b}', html)).toBe('');
    expect(usedStyles('.gone,.card .text:hover{a:b}', html)).toBe('.gone,.card .text:hover{a:b}');
    expect(usedStyles('.card .gone{a:b}', html)).toBe('');
    expect(usedStyles('.card:not(.gone){a:b}', html)).toBe('.card:not(.gone){a:b}');
    expect(usedStyles('[data-open] .card[data-x]:is(.gone,.other){a:b}', html)).toContain('a:b');
    expect(usedStyles('body,p::before{a:b}', html)).toBe('body,p::before{a:b}');
  });

  it('keeps nested rules with their rule, and media and layers with their remaining rules', () => {
    expect(usedStyles('.card{a:b;& .gone{c:d}}', html)).toBe('.card{a:b;& .gone{c:d}}');
    expect(usedStyles('@media print{.gone{a:b}.card{c:d}}@layer x{.gone{a:b}}', html)).toBe('@media print{.card{c:d}}');
    expect(usedStyles('@layer x;', html)).toBe('@layer x;');
  });

  it('keeps used animations', () => {
    const played = '@keyframes fade{to{a:b}}.card{animation:fade 1s}';
    expect(usedStyles(`${played}@keyframes spin{to{a:b}}`, html)).toBe(played);
  });

  it('keeps variables that the page or a kept rule references, directly or indirectly', () => {
    const sheet =
      ':root{--ink: var(--dark);--dark:#111;--unused:#222;--loose: var(--unused)}.card{border:var(--edge)}:root{--edge: 1px}';
    expect(usedStyles(sheet, html)).toBe(
      ':root{--ink: var(--dark);--dark:#111;}.card{border:var(--edge)}:root{--edge: 1px}',
    );
    expect(usedStyles('.card{--own:1px}', html)).toBe('');
  });
});
