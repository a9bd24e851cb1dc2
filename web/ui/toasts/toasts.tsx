import { useEffect } from 'react';
import { loadToasts, useToastLibrary } from './toast-library.ts';

/** Where toasts are shown, once what shows them has arrived. */
export function Toasts() {
  const library = useToastLibrary();
  useEffect(() => void loadToasts(), []);
  return library === undefined ? null : <library.ToastPlace />;
}
