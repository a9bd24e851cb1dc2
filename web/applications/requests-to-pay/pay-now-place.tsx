import { createContext, type ReactNode, use, useState } from 'react';
import { focusHeading } from '#web/ui/focus/heading-focus.ts';
import { late, openLate } from '#web/ui/loading/late.tsx';

/** Loads with the button that opens it, not with the screen. */
const PayNowDialog = late(async () => (await import('./pay-now-dialog.tsx')).PayNowDialog, { meanwhile: null });

type Open = (tag: string, button: HTMLElement) => void;

const OpenPayNow = createContext<Open>(() => undefined);

/** Opens the dialog of the surrounding {@link PayNowPlace}. */
export const useOpenPayNow = (): Open => use(OpenPayNow);

/** Holds the dialog for the buttons inside. It still says 'Paid' when all is paid and the button has disappeared. */
export function PayNowPlace({ children }: { readonly children: ReactNode }) {
  const [opened, setOpened] = useState<{ readonly tag: string; readonly button: HTMLElement }>();
  function close(): void {
    setOpened(undefined);
    // Runs after the dialog has released the focus.
    setTimeout(() => {
      const main = document.querySelector('main');
      if (opened?.button.isConnected === true) opened.button.focus({ preventScroll: true });
      else if (main !== null) focusHeading(main);
    });
  }
  return (
    <OpenPayNow value={(tag, button) => openLate(PayNowDialog, () => setOpened({ tag, button }))}>
      {children}
      {opened !== undefined && <PayNowDialog tag={opened.tag} onClose={close} />}
    </OpenPayNow>
  );
}
