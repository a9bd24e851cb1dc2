import classes from './plain-toast.module.css';

const FOUR_SECONDS = 4000;

interface PlainToast {
  readonly title?: string;
  readonly message: string;
  readonly autoClose?: number | false;
}

/** Shows a toast's text if the toast library did not load: the message may appear nowhere else. */
export function showPlainToast({ title, message, autoClose = FOUR_SECONDS }: PlainToast): void {
  const toast = document.createElement('div');
  toast.className = classes.toast ?? '';
  toast.role = 'alert';
  document.body.append(toast);
  // The region must exist before its text; only then is the text announced.
  toast.textContent = title === undefined ? message : `${title}: ${message}`;
  toast.addEventListener('click', () => toast.remove());
  if (autoClose !== false) setTimeout(() => toast.remove(), autoClose);
}
