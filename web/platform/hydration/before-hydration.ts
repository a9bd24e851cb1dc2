/**
 * Input on a prerendered page before React hydrated it. A small script within the page
 * (web/platform/hydration/inline-script.ts) notes it on the window; here the application reads it, once
 * (docs/decisions/0023-first-screen.md).
 */

/** The data between the script within the page and the application. */
export interface BeforeHydration {
  /** The last typed values, by the fields' names. */
  readonly typed: Record<string, string>;
  /** The names of the fields that somebody has left. */
  readonly left: Set<string>;
  /** The form that was sent; an incomplete one waits for the application to say what is missing. */
  form?: HTMLFormElement | undefined;
  /** Where it was sent to, and the pending answer. */
  sent?: { readonly url: string; readonly answer: Promise<Response> } | undefined;
  /** The device knows something of this visitor, so that only the application can draw the page. */
  readonly unfit: boolean;
  /** The application has taken the form: from now on only it sends. */
  hydrated: boolean;
}

declare global {
  interface Window {
    kasenteBeforeHydration?: BeforeHydration;
  }
}

/**
 * The values typed before hydration; from now on the application hears every input itself. If something else has changed
 * the page, such as a browser extension, React draws it again and the typing is only here.
 */
export function takeTypingBeforeHydration(): Pick<BeforeHydration, 'typed' | 'left'> {
  const before = window.kasenteBeforeHydration;
  if (before === undefined || before.hydrated) return { typed: {}, left: new Set() };
  before.hydrated = true;
  return before;
}

/** Whether the form was sent before hydration; the application then sends it in its own way. True once. */
export function takeSubmitBeforeHydration(form: HTMLFormElement): boolean {
  const before = window.kasenteBeforeHydration;
  if (before?.form?.action !== form.action) return false;
  before.form = undefined;
  form.inert = false;
  return true;
}

/** Forgets an answer that the form, as it is now, would not have asked for. */
export function forgetAnswerBeforeHydration(): void {
  if (window.kasenteBeforeHydration !== undefined) window.kasenteBeforeHydration.sent = undefined;
}

/** The answer to a call that the page has already made; the application then need not make it. */
export function takeAnswerBeforeHydration(url: string): Promise<Response> | undefined {
  const before = window.kasenteBeforeHydration;
  if (before?.sent?.url !== url) return undefined;
  const { answer } = before.sent;
  before.sent = undefined;
  return answer;
}
