import { useEffect } from 'react';
import { loadToasts, useToastLibrary } from './toast-library.ts';

/** Shows toasts once the library has loaded. */
export function Toasts() {
  const library = useToastLibrary();
  useEffect(() => void loadToasts(), []);
  return library === undefined ? null : <library.ToastPlace />;
}
