import { type Contact, callUs } from '#contract/contact.ts';
import { PRODUCT_NAME } from '#contract/product.ts';
import { sayMoment } from '#contract/time/calendar.ts';
import { type Message, messageTo } from '#server/messages/messages.service.ts';

/** Messages to everybody active in a business about its payout accounts. Account numbers are masked. */

/** What happened to an account. */
export type AccountNews =
  | { readonly kind: 'added'; readonly by: string }
  | { readonly kind: 'verified'; readonly usableFrom: Date; readonly now: Date }
  | { readonly kind: 'frozen'; readonly by: string };

interface AccountNotice {
  /** The account, masked. */
  readonly label: string;
  readonly business: string;
  readonly news: AccountNews;
  /** The link that freezes the account; undefined if the news is that it is frozen. */
  readonly link: string | undefined;
  readonly support: Contact;
}

const subjects = { added: 'new payout account', verified: 'payout account checked', frozen: 'payout account frozen' };

function bodyOf({ label, business, news, support }: AccountNotice): string {
  switch (news.kind) {
    case 'added':
      return `${news.by} added a payout account to ${business}: ${label}. We check it before we pay to it.`;
    case 'verified':
      return `we checked the payout account ${label} of ${business}. We can pay to it ${
        news.usableFrom <= news.now ? 'now' : `from ${sayMoment(news.usableFrom, news.now)}`
      }.`;
    case 'frozen':
      return `${news.by} froze the payout account ${label} of ${business}. We pay nothing to it. If this is not right, ${callUs(support)}.`;
  }
}

/** The message to one person. */
export function accountMessage(username: string, notice: AccountNotice): Message {
  const { business, news, link } = notice;
  const stop = link === undefined ? '' : ` If this is not right, stop it here: ${link}`;
  return messageTo(username, {
    subject: `${business}: ${subjects[news.kind]}`,
    body: `${PRODUCT_NAME}: ${bodyOf(notice)}${stop}`,
  });
}
