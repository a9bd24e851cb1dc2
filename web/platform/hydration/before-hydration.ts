/**
 * What somebody did on a prerendered page before the application took it over. A small script within the page
 * (web/platform/hydration/inline-script.ts) notes it on the window; here the application finds it, once
 * (docs/decisions/0023-first-screen.md).
 */

/** What the script within the page and the application tell each other. */
export interface Early {
  /** What was typed last, by the fields' names. */
  readonly typed: Record<string, string>;
  /** The names of the fields that somebody has been in and gone on from. */
  readonly left: Set<string>;
  /** The form that was sent; one that was not complete waits for the application to say what is missing. */
  form?: HTMLFormElement | undefined;
  /** Where it was sent to, and the answer on its way. */
  sent?: { readonly url: string; readonly answer: Promise<Response> } | undefined;
  /** The device knows something of this visitor for which the page had to be prepared by nobody but the application. */
  readonly unfit: boolean;
  /** The application has the form: from now on it is sent by it alone. */
  over: boolean;
}

declare global {
  interface Window {
    kasenteEarly?: Early;
  }
}

/**
 * What was typed into the page's form before the application was there; from now on it hears of everything itself. Where
 * something else had changed the page, such as an extension of the browser, React draws it anew: then it is here alone.
 */
export function takeEarlyTyping(): Pick<Early, 'typed' | 'left'> {
  const early = window.kasenteEarly;
  if (early === undefined || early.over) return { typed: {}, left: new Set() };
  early.over = true;
  return early;
}

/** Whether a form was sent before the application was there, which then sends it in its own way; answers so once. */
export function takeEarlySubmit(form: HTMLFormElement): boolean {
  const early = window.kasenteEarly;
  if (early?.form?.action !== form.action) return false;
  early.form = undefined;
  form.inert = false;
  return true;
}

/** Forgets an answer that the form would not have asked for as it is now. */
export function forgetEarlyAnswer(): void {
  if (window.kasenteEarly !== undefined) window.kasenteEarly.sent = undefined;
}

/** The answer to a call that the page has made already; the application's own call then need not be made. */
export function takeEarlyAnswer(url: string): Promise<Response> | undefined {
  const early = window.kasenteEarly;
  if (early?.sent?.url !== url) return undefined;
  const { answer } = early.sent;
  early.sent = undefined;
  return answer;
}
