import type { Browser, BrowserContext } from '@playwright/test';

/** Errors reported by pages: warnings and errors in the browser's console, and uncaught exceptions. */

/**
 * A refused or failed call is not a fault of the page, and journeys provoke such calls. The browser reports them by
 * itself, and the application must (docs/specification-coverage.md, 7: every failed call is logged, by its code).
 */
const FAILED_CALL = [
  /^Failed to load resource: /,
  /^[A-Z]+(?:_[A-Z]+)*: /,
  /Failed to fetch dynamically imported module/,
];
/** Caused by Playwright's own script in a document that may not run scripts, when it records a journey. */
const NOT_OURS = /^Blocked script execution in '[^']*\/files\/view\//;

/** A growing list of everything that a browser's pages report from now on, in any context. */
export function listenForComplaints(browser: Browser): string[] {
  const complaints: string[] = [];
  const note = (complaint: string): void => {
    if (![...FAILED_CALL, NOT_OURS].some((expected) => expected.test(complaint))) complaints.push(complaint);
  };
  const listen = (context: BrowserContext): BrowserContext => {
    context.on('console', (message) => {
      if (message.type() === 'warning' || message.type() === 'error') note(message.text());
    });
    context.on('weberror', (fault) => note(String(fault.error())));
    return context;
  };
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options) => listen(await open(options));
  return complaints;
}
