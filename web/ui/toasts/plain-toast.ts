import classes from './plain-toast.module.css';

const FOUR_SECONDS = 4000;

interface PlainToast {
  readonly title?: string;
  readonly message: string;
  readonly autoClose?: number | false;
}

/** Says what a toast has to say where the library for toasts did not arrive: it may be said nowhere else. */
export function showPlainToast({ title, message, autoClose = FOUR_SECONDS }: PlainToast): void {
  const toast = document.createElement('div');
  toast.className = classes.toast ?? '';
  toast.role = 'alert';
  document.body.append(toast);
  // The region stands there before its text does: only then is the text announced.
  toast.textContent = title === undefined ? message : `${title}: ${message}`;
  toast.addEventListener('click', () => toast.remove());
  if (autoClose !== false) setTimeout(() => toast.remove(), autoClose);
}
