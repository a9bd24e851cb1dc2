import { createServer } from 'node:http';
import type { Page } from '@playwright/test';

/** Every request that a hostile page can make a browser send without the consent of the person who opened it. */

/** A call that the attacker tries to trick the person's browser into. */
export interface Target {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The body as the application sends it: JSON or bytes. */
  readonly sent: string;
  readonly type: string;
}

/** Serves an empty page at any path during a test, on every name of this machine. */
export async function serveHostilePages(): Promise<{ readonly port: number; readonly close: () => void }> {
  const server = createServer((_, reply) => {
    reply.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>hostile</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('it listens on no port');
  return { port: bound.port, close: () => server.close() };
}

/** Sends every kind of request that a page can send while it stays open; returns how many it tried. */
export function attackFromWithin(page: Page, address: string, targets: readonly Target[]): Promise<number> {
  return page.evaluate(sendFromWithin, { address, targets: [...targets] });
}

/** Runs in the page, so it is self-contained. */
async function sendFromWithin({ address, targets }: { address: string; targets: Target[] }): Promise<number> {
  const AT_ONCE = 10;
  // Some elements never report that their request was refused.
  const ENOUGH_MS = 2000;
  let tried = 0;
  const settled = (element: HTMLElement, start: () => void): Promise<void> =>
    new Promise((resolve) => {
      tried += 1;
      for (const event of ['load', 'error']) element.addEventListener(event, () => resolve(), { once: true });
      setTimeout(resolve, ENOUGH_MS);
      start();
    });
  const shown = <Name extends keyof HTMLElementTagNameMap>(name: Name, attributes: Record<string, string>) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return settled(element, () => document.body.append(element));
  };
  const sendForm = (url: string, method: string, enctype: string, fields: readonly (readonly [string, string])[]) => {
    const frame = document.createElement('iframe');
    frame.name = `frame${Math.random()}`;
    document.body.append(frame);
    const form = document.createElement('form');
    Object.assign(form, { action: url, method, enctype, target: frame.name });
    for (const [name, value] of fields) form.append(Object.assign(document.createElement('input'), { name, value }));
    document.body.append(form);
    return settled(frame, () => form.submit());
  };
  const sendCall = async (url: string, init: RequestInit): Promise<void> => {
    tried += 1;
    await fetch(url, { credentials: 'include', ...init }).catch(() => undefined);
  };
  const attack = async ({ method, path, query, body, sent, type }: Target): Promise<void> => {
    const url = `${address}${path}${query}`;
    const json = JSON.stringify(body);
    const plain = Object.entries(body).map(([name, value]): [string, string] => [name, String(value)]);
    // JSON in a form: its beginning is the field name, the '=' falls inside a string, and its end is the value.
    const disguised: [string, string] = [`${json.slice(0, -1)}${json.length > 2 ? ',' : ''}"x":"`, '"}'];
    const text = { 'content-type': 'text/plain' };
    await Promise.all([
      shown('img', { src: url }),
      shown('script', { src: url }),
      shown('iframe', { src: url }),
      shown('object', { data: url }),
      shown('video', { src: url }),
      shown('link', { rel: 'stylesheet', href: url }),
      shown('link', { rel: 'prefetch', href: url }),
      shown('link', { rel: 'preload', as: 'fetch', href: url }),
      sendForm(url, 'get', 'application/x-www-form-urlencoded', plain),
      sendForm(url, 'post', 'application/x-www-form-urlencoded', plain),
      sendForm(url, 'post', 'multipart/form-data', plain),
      sendForm(url, 'post', 'text/plain', [disguised]),
      sendCall(url, { mode: 'no-cors' }),
      sendCall(url, { mode: 'no-cors', method: 'POST', headers: text, body: json }),
      sendCall(url, { mode: 'no-cors', method: 'POST', body: new URLSearchParams(plain) }),
      sendCall(url, { method: 'POST', headers: text, body: json, keepalive: true }),
      sendCall(url, {
        method: method === 'GET' ? 'POST' : method,
        headers: { 'content-type': type },
        body: sent,
      }),
      sendCall(url, { headers: { 'x-requested-with': 'fetch' } }),
      sendCall(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-http-method-override': method },
        body: json,
      }),
      Promise.resolve().then(() => {
        tried += 1;
        navigator.sendBeacon(url, new Blob([json], { type: 'text/plain' }));
      }),
    ]);
  };
  for (let begun = 0; begun < targets.length; begun += AT_ONCE) {
    await Promise.all(targets.slice(begun, begun + AT_ONCE).map(attack));
    document.body.replaceChildren();
  }
  return tried;
}

/** Leaves the hostile page for the target, by a link and by a form, in the whole tab. */
export async function attackByNavigating(page: Page, hostile: string, address: string, targets: readonly Target[]) {
  let tried = 0;
  for (const { path, query, body } of targets) {
    for (const way of ['link', 'form'] as const) {
      await page.goto(hostile);
      const left = page.waitForEvent('framenavigated', (frame) => frame === page.mainFrame()).catch(() => undefined);
      await page.evaluate(leaveFor, { url: `${address}${path}${query}`, body: { ...body }, way });
      // A file is downloaded, and the tab stays open.
      await Promise.race([left, page.waitForEvent('download').catch(() => undefined)]);
      tried += 1;
    }
  }
  return tried;
}

/** Runs in the page. */
function leaveFor({ url, body, way }: { url: string; body: Record<string, unknown>; way: 'link' | 'form' }): void {
  if (way === 'link') {
    window.location.href = url;
    return;
  }
  const form = document.createElement('form');
  Object.assign(form, { action: url, method: 'post' });
  for (const [name, value] of Object.entries(body))
    form.append(Object.assign(document.createElement('input'), { name, value: String(value) }));
  document.body.append(form);
  form.submit();
}

/** The call as the application itself makes it, from a page of the same origin, for comparison with the attacks. */
export function callFromWithin(page: Page, { method, path, query, sent, type }: Target): Promise<number> {
  return page.evaluate(
    async ({ method, url, body, type }) => {
      const sending = method === 'GET' ? {} : { headers: { 'content-type': type }, body };
      return (await fetch(url, { method, ...sending })).status;
    },
    { method, url: `${path}${query}`, body: sent, type },
  );
}
