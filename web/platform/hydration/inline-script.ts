import { isLongEnough } from '#contract/accounts/password.ts';
import { LOGIN_USERNAME, readUsername } from '#contract/accounts/username.ts';
import { paths } from '#web/paths.ts';
import type { BeforeHydration } from './before-hydration.ts';

/**
 * Runs in each prerendered page (scripts/build/prerender.ts) before anything is rendered. It sets dark mode, and sends
 * forms before the application has loaded, exactly as the application would. The application then finds the reply
 * (web/platform/hydration/before-hydration.ts) and shows the result, so every outcome is implemented only once.
 */

const page = document.documentElement;
const before: BeforeHydration = { unfit: isUnfit(), hydrated: false, typed: {}, left: new Set() };
window.kasenteBeforeHydration = before;
page.dataset.mantineColorScheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
if (before.unfit) page.dataset.unfit = '';
// '/' shows the login screen to people who are not logged in (web/shell/guards.tsx).
else if (location.pathname === '/') history.replaceState(null, '', paths.login);

addEventListener('submit', send, true);
addEventListener('focusout', ({ target }) => {
  const { name } = target as HTMLInputElement; // empty for links and buttons
  if (!before.hydrated && name) before.left.add(name);
});
addEventListener('input', ({ target }) => {
  const { name, value } = target as HTMLInputElement; // nothing else in these pages accepts typing
  if (!before.hydrated) before.typed[name] = value;
  // Further typing in an incomplete form cancels its submission.
  if (!before.sent) before.form = undefined;
});

/** Whether the application would show this visitor something other than the prerendered page. */
function isUnfit(): boolean {
  try {
    if (location.pathname === '/') return localStorage.getItem('auth') !== null;
    const steps: Readonly<Record<string, string>> = {
      [paths.signup]: 'PIN_STAGE',
      [paths.forgotPassword]: 'RESET_STAGE',
    };
    const step = steps[location.pathname];
    return step !== undefined && localStorage.getItem(step) !== null;
  } catch {
    return false;
  }
}

function send(event: Event): void {
  const form = event.target;
  if (before.hydrated || !(form instanceof HTMLFormElement)) return;
  event.preventDefault();
  before.form = form;
  // No form of these pages includes a file.
  const body = bodyOf(Object.fromEntries(new FormData(form)) as Record<string, string>);
  const url = form.getAttribute('action');
  if (body === undefined || url === null) return;
  form.inert = true;
  const key = crypto.getRandomValues(new Uint32Array(4)).join('');
  const answer = fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'fetch', 'Idempotency-Key': key },
    body: JSON.stringify(body),
  });
  // The application reports a lost connection when it reads the reply.
  answer.catch(() => undefined);
  before.sent = { url, answer };
}

/** The body of the call; undefined if the form is incomplete, which the application reports. */
function bodyOf({ phoneOrEmail, ...fields }: Readonly<Record<string, string | undefined>>): object | undefined {
  if (phoneOrEmail === undefined) {
    const { length } = (fields.username ?? '').trim();
    return length < LOGIN_USERNAME.minimum || length > LOGIN_USERNAME.maximum ? undefined : fields;
  }
  const username = readUsername(phoneOrEmail);
  const complete = fields.gender && fields.industryId && fields.districtId;
  if (username === undefined || !complete || !isLongEnough(fields.password ?? '')) return undefined;
  return { ...fields, [username.kind]: username.value };
}
