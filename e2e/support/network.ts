import type { Page } from '@playwright/test';

/** The connection between a page and the server: replaced, changed and delayed replies. */

/** Answers a call instead of the server, in the server's format, until the returned function is called. */
export async function answerInstead(
  page: Page,
  path: string,
  status: number,
  json: object,
): Promise<() => Promise<void>> {
  const url = `**/api/v1/${path}`;
  await page.route(url, (route) => route.fulfill({ status, json }));
  return () => page.unroute(url);
}

/** Changes the server's reply to a call on its way to the page. */
export async function alterAnswers<T>(page: Page, path: string, alter: (answer: T) => object): Promise<void> {
  await page.route(`**/api/v1/${path}`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: alter(await response.json()) });
  });
}

/** A growing list of the bodies that the page sends to a call from now on. */
export function sentTo(page: Page, path: string): unknown[] {
  const sent: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith(`/api/v1/${path}`)) sent.push(request.postDataJSON());
  });
  return sent;
}

/** Holds the page's requests to a URL until the returned function is called. */
export async function hold(page: Page, url: string, method = 'GET'): Promise<() => void> {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    await held;
    return route.fallback();
  });
  return letGo;
}
