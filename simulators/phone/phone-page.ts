import { ugandanTime } from '#simulators/ground/clock.ts';
import type { Message, Transaction, Wallet } from '#simulators/ground/events.ts';
import { expiryOf } from '#simulators/ground/simulator.ts';

/** The phone as a page of plain HTML and forms, without external resources. */

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text escaped for an element or attribute. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}

/** Each network's colour, and a legible text colour on it. */
const COLOURS = { mtn: ['#ffcb05', '#1f1f1f'], airtel: ['#d3001b', '#ffffff'] } as const;

const STYLE = `
:root{color-scheme:light dark;--ground:#e9ecef;--paper:#fff;--ink:#1f2933;--faint:#52606d;--line:#7b8794;--soft:#f1f5f9;--said:#fff7d6}
@media(prefers-color-scheme:dark){:root{--ground:#0b0f14;--paper:#161b22;--ink:#e6edf3;--faint:#a8b3bf;--line:#6b7785;--soft:#222a33;--said:#3a3000}}
*{box-sizing:border-box}
body{margin:0;font:16px/1.45 system-ui,sans-serif;background:var(--ground);color:var(--ink)}
main{max-width:26rem;min-height:100vh;margin:0 auto;background:var(--paper)}
header{padding:1rem;background:var(--brand);color:var(--on-brand)}
header p{margin:0}header h1{margin:.1rem 0;font-size:1.25rem;overflow-wrap:anywhere}
.balance{font-size:1.6rem;font-weight:700;font-variant-numeric:tabular-nums}
section{padding:1rem}h2{font-size:1rem;margin:0 0 .5rem}
.card{border:2px solid var(--brand);border-radius:.75rem;padding:.75rem;margin:0 0 .75rem;overflow-wrap:anywhere}
.card p{margin:.25rem 0}
.note{background:var(--soft);border-radius:.75rem .75rem .75rem 0;padding:.6rem .75rem;margin:0 0 .6rem;overflow-wrap:anywhere}
small{color:var(--faint);display:block}strong{font-variant-numeric:tabular-nums}
label{display:block;margin:.5rem 0;font-weight:600}
input{display:block;width:100%;min-height:2.75rem;padding:.5rem;font:inherit;color:inherit;background:transparent;border:1px solid var(--line);border-radius:.5rem}
.button{display:block;width:100%;min-height:2.75rem;margin:.5rem 0 0;padding:.6rem;font:inherit;font-weight:600;text-align:center;text-decoration:none;border:1px solid var(--line);border-radius:.5rem;background:transparent;color:inherit}
.main{background:var(--brand);color:var(--on-brand);border-color:var(--brand)}
.said{margin:1rem 1rem 0;padding:.6rem .75rem;border-radius:.5rem;background:var(--said);border:1px solid #b58900}
`;

export interface Phone {
  readonly network: 'mtn' | 'airtel';
  readonly title: string;
  readonly currency: string;
  readonly pin: string;
  readonly wallet: Wallet;
}

type Network = Pick<Phone, 'network' | 'title'>;

/** A page in a network's colours. */
function frame({ network }: Network, title: string, body: string, refresh = ''): string {
  const [brand, onBrand] = COLOURS[network];
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">${refresh}
<title>${escaped(title)}</title>
<style>:root{--brand:${brand};--on-brand:${onBrand}}${STYLE}</style></head><body><main>${body}</main></body></html>`;
}

/** The list of a network's phones. */
export function phonesPage(network: Network, wallets: readonly Wallet[]): string {
  const phones = wallets.map(
    ({ msisdn, name }) =>
      `<a class="button" href="/phone/${encodeURIComponent(msisdn)}">${escaped(name)}<small>${escaped(localNumber(msisdn))}</small></a>`,
  );
  return frame(
    network,
    `${network.title}: phones`,
    `<header><p>${escaped(network.title)} · simulated</p><h1>Phones</h1></header>
<section>${phones.join('') || '<p>No wallets yet.</p>'}</section>`,
  );
}

function page(phone: Phone, body: string, refreshSeconds?: number): string {
  const { msisdn, name, balance } = phone.wallet;
  const refresh =
    refreshSeconds === undefined
      ? ''
      : `<meta http-equiv="refresh" content="${refreshSeconds};url=/phone/${encodeURIComponent(msisdn)}">`;
  const header = `<header><p>${escaped(phone.title)} · simulated</p><h1>${escaped(name)}</h1>
<p>${escaped(localNumber(msisdn))}</p><p class="balance">${money(phone, balance)}</p></header>`;
  return frame(phone, `Phone ${localNumber(msisdn)}`, header + body, refresh);
}

function money({ currency }: Phone, amount: number): string {
  return `${escaped(currency)} ${amount.toLocaleString('en')}`;
}

/** The usual local form, 0772345678. */
function localNumber(msisdn: string): string {
  return msisdn.replace(/^256/, '0');
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** '23 Nov 2026, 14:05', in Uganda. */
function at(time: number): string {
  const [year, month, day, hour, minute] = ugandanTime(time).split(/[- :]/);
  return `<small>${Number(day)} ${MONTHS[Number(month) - 1]} ${year}, ${hour}:${minute}</small>`;
}

/** The phone's screen: open requests, and messages, newest first. It refreshes itself. */
export function homePage(
  phone: Phone,
  requests: readonly Transaction[],
  messages: readonly Message[],
  said?: string,
): string {
  const home = `/phone/${encodeURIComponent(phone.wallet.msisdn)}`;
  const prompts = requests.map(
    (one) => `<div class="card"><strong>Pay ${money(phone, one.amount)}?</strong>
<p>${escaped(one.payerMessage)}</p>${at(one.at)}
<a class="button main" href="${home}/requests/${encodeURIComponent(one.id)}">Answer</a></div>`,
  );
  const notes = messages.toReversed().map(({ text, at: time }) => `<p class="note">${escaped(text)}${at(time)}</p>`);
  return page(
    phone,
    `${said === undefined ? '' : `<p class="said" role="status">${escaped(said)}</p>`}
${prompts.length === 0 ? '' : `<section><h2>Waiting for you</h2>${prompts.join('')}</section>`}
<section><h2>Messages</h2>${notes.join('') || '<p>No messages yet. Money that arrives shows here.</p>'}</section>
<section><a class="button" href="${home}/pay">Send money to the merchant</a></section>`,
    said === undefined ? 3 : 8,
  );
}

/** The form to answer a request to pay. */
export function requestPage(phone: Phone, request: Transaction, now: number, said?: string): string {
  const home = `/phone/${encodeURIComponent(phone.wallet.msisdn)}`;
  const minutes = Math.max(0, Math.ceil((expiryOf(request) - now) / 60_000));
  return page(
    phone,
    `${said === undefined ? '' : `<p class="said" role="alert">${escaped(said)}</p>`}<section>
<h2>Pay ${money(phone, request.amount)}?</h2><p>${escaped(request.payerMessage)}</p>
<small>Answer within ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.</small>
<form method="post" action="${home}/requests/${encodeURIComponent(request.id)}">
<label>PIN (it is ${escaped(phone.pin)})<input name="pin" inputmode="numeric" autocomplete="off" maxlength="5"></label>
<button class="button main" name="answer" value="approve">Approve</button>
<button class="button" name="answer" value="reject">Reject</button></form>
<a class="button" href="${home}">Back</a></section>`,
  );
}

/** The form to pay without a request. */
export function payPage(phone: Phone, said?: string): string {
  const home = `/phone/${encodeURIComponent(phone.wallet.msisdn)}`;
  return page(
    phone,
    `${said === undefined ? '' : `<p class="said" role="alert">${escaped(said)}</p>`}<section>
<h2>Send money to the merchant</h2><form method="post" action="${home}/payments">
<label>Amount in ${escaped(phone.currency)}<input name="amount" inputmode="numeric" autocomplete="off" maxlength="9"></label>
<label>Reference<input name="reference" autocomplete="off" maxlength="40"></label>
<label>PIN (it is ${escaped(phone.pin)})<input name="pin" inputmode="numeric" autocomplete="off" maxlength="5"></label>
<button class="button main">Send</button></form><a class="button" href="${home}">Back</a></section>`,
  );
}
