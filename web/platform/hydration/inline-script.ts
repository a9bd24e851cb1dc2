import { PASSWORD_MINIMUM } from '#contract/accounts/password.ts';
import { LOGIN_USERNAME, readUsername } from '#contract/accounts/username.ts';
import { paths } from '#web/paths.ts';
import type { Early } from './before-hydration.ts';

/**
 * Stands within each prerendered page (scripts/build/prerender.ts) and runs before anything is drawn: dark mode, and forms that
 * can be sent before the application has arrived. It sends what the application would send; that then finds the answer
 * (web/platform/hydration/before-hydration.ts) and says what became of it, so that every outcome is written once.
 */

const page = document.documentElement;
const early: Early = { unfit: isUnfit(), over: false, typed: {}, left: new Set() };
window.kasenteEarly = early;
page.dataset.mantineColorScheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
if (early.unfit) page.dataset.unfit = '';
// The address of nobody in particular shows the login screen to whoever is not logged in (web/shell/guards.tsx).
else if (location.pathname === '/') history.replaceState(null, '', paths.login);

addEventListener('submit', send, true);
addEventListener('focusout', ({ target }) => {
  const { name } = target as HTMLInputElement; // of links and buttons it is empty
  if (!early.over && name) early.left.add(name);
});
addEventListener('input', ({ target }) => {
  const { name, value } = target as HTMLInputElement; // nothing else in these pages can be typed into
  if (!early.over) early.typed[name] = value;
  // Who goes on typing into a form that was not complete sends it again.
  if (!early.sent) early.form = undefined;
});

/** Whether the application would show something else here than what was prerendered for everybody. */
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
  if (early.over || !(form instanceof HTMLFormElement)) return;
  event.preventDefault();
  early.form = form;
  // No form of these pages takes a file.
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
  // The application looks at it later, and says then that there was no connection.
  answer.catch(() => undefined);
  early.sent = { url, answer };
}

/** The body of the call; undefined where the form's fields are not complete, which the application says. */
function bodyOf({ phoneOrEmail, ...fields }: Readonly<Record<string, string | undefined>>): object | undefined {
  if (phoneOrEmail === undefined) {
    const { length } = (fields.username ?? '').trim();
    return length < LOGIN_USERNAME.minimum || length > LOGIN_USERNAME.maximum ? undefined : fields;
  }
  const username = readUsername(phoneOrEmail);
  const complete = fields.gender && fields.industryId && fields.districtId;
  if (username === undefined || !complete || (fields.password ?? '').length < PASSWORD_MINIMUM) return undefined;
  return { ...fields, [username.kind]: username.value };
}
