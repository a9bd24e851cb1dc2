import { PRODUCT_NAME } from '#contract/product.ts';
import { kampalaDate } from '#contract/time/calendar.ts';
import { escapeHtml } from '#server/responses/html.ts';
import { plainPage } from '#server/responses/plain-page.ts';

/** A message in the development list. */
export interface ListedMessage {
  readonly to: string;
  readonly channel: 'email' | 'sms';
  readonly subject: string;
  readonly body: string;
  readonly createdAt: string;
}

/** The development list as a page without scripts. */
export function messagesPage(messages: readonly ListedMessage[]): string {
  const list = messages.length === 0 ? '<p>Nothing has been sent yet.</p>' : messages.map(article).join('\n');
  return plainPage(
    'Messages',
    `<h1>Messages</h1>
<p class="note">What ${PRODUCT_NAME} tells people, newest first. This page exists in development only.</p>
<main>
${list}
</main>`,
  );
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
