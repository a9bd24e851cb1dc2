/** The nonce's placeholder in a built page; the server replaces it in every page it sends. */
const NONCE_PLACEHOLDER = '__NONCE__';

/** The nonce that the page carries for `<style>` elements (server/responses/security-headers.ts); '' in development. */
export function styleNonce(): string {
  if (import.meta.env.SSR) return NONCE_PLACEHOLDER;
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  return meta?.nonce ?? '';
}

/**
 * Passes the nonce to the package that locks the page's scrolling behind an open dialog: Mantine's dialogs use one that
 * writes its own `<style>` and looks for the nonce where webpack would have put it.
 */
export function shareStyleNonce(): void {
  Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
}
