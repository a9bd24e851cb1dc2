import type { Page } from '@playwright/test';

/** How a page looks, element by element, as computed by the browser. */

interface ReadLook {
  readonly name: string;
  readonly styles: string;
}

declare global {
  interface Window {
    /** All properties that a sheet sets, except those that match the regular expression. */
    kasenteLooks(without?: string): ReadLook[];
    /** Like `kasenteLooks`, but grouped: each line once for all elements of a kind. */
    kasenteKinds(without: string): [kind: string, lines: string[]][];
  }
}

/** Makes the looks of every page that the tab loads from now on available. */
export async function readLooks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    /** The properties that any sheet sets; custom properties only take effect through one of these. */
    const declared = (rules: Iterable<CSSRule>): string[] =>
      [...rules].flatMap((rule) => [
        ...(rule instanceof CSSStyleRule ? [...rule.style].filter((property) => !property.startsWith('--')) : []),
        ...('cssRules' in rule && rule.cssRules instanceof CSSRuleList ? declared(rule.cssRules) : []),
      ]);
    const lookOf = (element: Element, properties: readonly string[]): string =>
      ['', '::before', '::after']
        .map((part) => {
          const styles = getComputedStyle(element, part);
          if (part !== '' && styles.content === 'none') return '';
          return properties.map((property) => `${property}: ${styles.getPropertyValue(property)}`).join('\n');
        })
        .join('\n');
    // One set of lines per kind: in full, a page's elements are five megabytes.
    window.kasenteKinds = (without) => {
      const kinds = new Map<string, Set<string>>();
      for (const { name, styles } of window.kasenteLooks(without)) {
        // Mantine generates a class for responsive styles, a different one at each visit.
        const kind = name.replaceAll(/\.__m__\S*/g, '');
        kinds.set(kind, (kinds.get(kind) ?? new Set()).add(styles));
      }
      return [...kinds].map(([kind, styles]) => [kind, [...new Set([...styles].flatMap((each) => each.split('\n')))]]);
    };
    window.kasenteLooks = (without = '^$') => {
      const leftOut = new RegExp(without);
      const set = new Set([...document.styleSheets].flatMap(({ cssRules }) => declared(cssRules)));
      const properties = [...set].filter((property) => !leftOut.test(property)).sort();
      // Stops all transitions from one look to another.
      const still = new CSSStyleSheet();
      still.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important; }');
      document.adoptedStyleSheets.push(still);
      const elements = [...document.body.querySelectorAll('*:not(svg *, #recharts_measurement_span)')];
      const looks = elements.map((element) => ({
        name: `${element.tagName.toLowerCase()}.${[...element.classList].join('.')}`,
        styles: lookOf(element, properties),
      }));
      document.adoptedStyleSheets.pop();
      return looks;
    };
  });
}

/** Properties that depend on the size of the content, not on a sheet alone. */
const OF_CONTENT =
  /^(?:(?:min-|max-)?(?:width|height|inline-size|block-size)|top|right|bottom|left|inset\S*|transform\S*|perspective-origin|translate|grid-template\S*|scroll-margin\S*)$/;

/** The sheets' declarations for each kind of component on a page, as `property: value`, keyed by its classes. */
export type ComponentLooks = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * How the components of a page look. Properties that depend on content are left out, so that two visits can be
 * compared.
 */
export async function componentLooks(page: Page): Promise<ComponentLooks> {
  const kinds = await page.evaluate((ofContent) => window.kasenteKinds(ofContent), OF_CONTENT.source);
  return new Map(kinds.map(([kind, lines]) => [kind, new Set(lines)]));
}

const propertyOf = (line: string) => line.slice(0, line.indexOf(': '));

/**
 * Components of both pages that look different on the second, one per line. A property that one page's sheets do not
 * set is not compared.
 */
export function differentLooks(one: ComponentLooks, other: ComponentLooks): string[] {
  return [...one].flatMap(([kind, looks]) => {
    const others = other.get(kind) ?? new Set();
    const known = new Set([...others].map(propertyOf));
    return [...looks]
      .filter((line) => known.has(propertyOf(line)) && !others.has(line))
      .map((line) => `${kind}: ${line}`);
  });
}

export interface OtherwiseLaid {
  /** Components that look different with the sheets in the opposite order. */
  readonly otherOrder: readonly string[];
  /**
   * Components that look different with all sheets, Mantine's included, in a single layer, where the order decides.
   * Empty unless requested.
   */
  readonly oneLayer: readonly string[];
}

/** Reorders the loaded sheets and restores them; names the elements that looked different. */
export function otherwiseLaid(page: Page, alsoInOneLayer: boolean): Promise<OtherwiseLaid> {
  return page.evaluate((isAsked) => {
    // Inline sheets are part of the page and have no order of arrival.
    const arrived = [...document.styleSheets].filter(({ href }) => href !== null);
    const texts = arrived.map((sheet) => [...sheet.cssRules].map(({ cssText }) => cssText).join('\n'));
    const laid = (sheets: readonly string[]): ReadLook[] => {
      document.adoptedStyleSheets = sheets.map((text) => {
        const copy = new CSSStyleSheet();
        copy.replaceSync(text);
        return copy;
      });
      for (const sheet of arrived) sheet.disabled = true;
      const looks = window.kasenteLooks();
      for (const sheet of arrived) sheet.disabled = false;
      document.adoptedStyleSheets = [];
      return looks;
    };
    // Not read from the sheets' own text: the browser's text of a rule loses a shorthand whose value is a variable.
    const before = laid(texts);
    const changed = (after: readonly ReadLook[]): string[] =>
      before.flatMap(({ name, styles }, index) => {
        if (after[index]?.styles === styles) return [];
        const lines = new Set(styles.split('\n'));
        const now = (after[index]?.styles ?? '').split('\n').filter((line) => !lines.has(line));
        return now.length === 0 ? [] : [`${name}: ${now.slice(0, 6).join('; ')}`];
      });
    const inOneLayer = texts.map((text) => text.replaceAll(/@layer mantine\.[\w-]+/g, '@layer mantine'));
    return { otherOrder: changed(laid(texts.toReversed())), oneLayer: isAsked ? changed(laid(inOneLayer)) : [] };
  }, alsoInOneLayer);
}
