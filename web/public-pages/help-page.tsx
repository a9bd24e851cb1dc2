import help from '#docs/help.md';
import { HowToReachUs } from '#web/ui/support/how-to-reach-us.tsx';
import { TextPage } from './text-page.tsx';

/** The help for clients, from docs/help.md. */
export function HelpPage() {
  return (
    <TextPage
      page={help}
      action={
        <p>
          Contact us <HowToReachUs />.
        </p>
      }
      numbered
    />
  );
}
