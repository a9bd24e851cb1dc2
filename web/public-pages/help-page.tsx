import help from '#docs/help.md';
import { HowToReachUs } from '#web/ui/support/how-to-reach-us.tsx';
import { TextPage } from './text-page.tsx';

const sections = help.sections.map(({ id, title, html }) => ({ id, title, Body: () => <Markup html={html} /> }));

/** The clients' help, from docs/help.md. */
export function HelpPage() {
  return (
    <TextPage
      title={help.title}
      intro={<Markup html={help.intro} />}
      action={
        <p>
          Contact us <HowToReachUs />.
        </p>
      }
      numbered
      sections={sections}
    />
  );
}

function Markup({ html }: { readonly html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered from our own page while the web is built.
  return <div dangerouslySetInnerHTML={{ __html: html }} />;
}
