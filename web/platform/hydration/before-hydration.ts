/**
 * Input on a prerendered page before React hydrated it. A small script in the page
 * (web/platform/hydration/inline-script.ts) records it on the window, and the application reads it once, here
 * (docs/decisions/0023-first-screen.md).
 */

/** The data that the script in the page shares with the application. */
export interface BeforeHydration {
  /** The last typed values, by field name. */
  readonly typed: Record<string, string>;
  /** The names of the fields that somebody has left. */
  readonly left: Set<string>;
  /** The submitted form. An incomplete one waits for the application, which shows what is missing. */
  form?: HTMLFormElement | undefined;
  /** The URL it was sent to, and the pending reply. */
  sent?: { readonly url: string; readonly answer: Promise<Response> } | undefined;
  /** Whether the device has data about this visitor, so that only the application can render the page. */
  readonly unfit: boolean;
  /** Whether the application has taken over the form. From then on, only the application sends it. */
  hydrated: boolean;
}

declare global {
  interface Window {
    kasenteBeforeHydration?: BeforeHydration;
  }
}

/**
 * The values typed before hydration. From now on, the application receives every input itself. If something else, such
 * as a browser extension, has changed the page, React renders it again, and only this object still has the typing.
 */
export function takeTypingBeforeHydration(): Pick<BeforeHydration, 'typed' | 'left'> {
  const before = window.kasenteBeforeHydration;
  if (before === undefined || before.hydrated) return { typed: {}, left: new Set() };
  before.hydrated = true;
  return before;
}

/** Whether the form was submitted before hydration. If so, the application sends it itself. True only once. */
export function takeSubmitBeforeHydration(form: HTMLFormElement): boolean {
  const before = window.kasenteBeforeHydration;
  if (before?.form?.action !== form.action) return false;
  before.form = undefined;
  form.inert = false;
  return true;
}

/** Drops a reply to a request that the form would no longer send. */
export function forgetAnswerBeforeHydration(): void {
  if (window.kasenteBeforeHydration !== undefined) window.kasenteBeforeHydration.sent = undefined;
}

/** The reply to a call that the page has already made, so that the application doesn't repeat it. */
export function takeAnswerBeforeHydration(url: string): Promise<Response> | undefined {
  const before = window.kasenteBeforeHydration;
  if (before?.sent?.url !== url) return undefined;
  const { answer } = before.sent;
  before.sent = undefined;
  return answer;
}
