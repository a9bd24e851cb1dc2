import { PRODUCT_NAME } from '#contract/product.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { escapeHtml } from '#server/responses/html.ts';

/** A message in the development list. */
export interface ListedMessage {
  readonly to: string;
  readonly channel: 'email' | 'sms';
  readonly subject: string;
  readonly body: string;
  readonly createdAt: string;
}

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 44rem; margin: 0 auto; padding: 2rem 1rem; }
  h1 { font-size: 1.4rem; margin: 0; }
  .note { margin: 0 0 1.5rem; opacity: 0.75; }
  article { border: 1px solid color-mix(in srgb, currentColor 20%, transparent); border-radius: 0.75rem;
    padding: 1rem; margin-bottom: 1rem; }
  header { display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; align-items: baseline; font-size: 0.9rem; }
  .channel { font-size: 0.75rem; font-weight: 700; letter-spacing: 0.05em; border-radius: 1rem; padding: 0 0.6rem;
    background: color-mix(in srgb, currentColor 12%, transparent); }
  time { margin-left: auto; opacity: 0.75; }
  h2 { font-size: 1rem; margin: 0.5rem 0 0.25rem; }
  p { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
`;

/** The development list as a page without scripts that reloads every two seconds. */
export function messagesPage(messages: readonly ListedMessage[], nonce: string): string {
  const list = messages.length === 0 ? '<p>Nothing has been sent yet.</p>' : messages.map(article).join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="2">
<title>Messages | ${PRODUCT_NAME}</title>
<style nonce="${escapeHtml(nonce)}">${style}</style>
</head>
<body>
<h1>Messages</h1>
<p class="note">What ${PRODUCT_NAME} tells people, newest first. This page exists in development only.</p>
<main>
${list}
</main>
</body>
</html>
`;
}

function article({ to, channel, subject, body, createdAt }: ListedMessage): string {
  return `<article>
<header><span class="channel">${channel === 'email' ? 'EMAIL' : 'SMS'}</span><strong>${escapeHtml(to)}</strong>
<time datetime="${createdAt}">${kampalaTime(createdAt)}</time></header>
<h2>${escapeHtml(subject)}</h2>
<p>${escapeHtml(body)}</p>
</article>`;
}

const timeOfDay = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'Africa/Kampala' });

function kampalaTime(iso: string): string {
  const at = new Date(iso);
  return `${kampalaDate(at)} ${timeOfDay.format(at)}`;
}
