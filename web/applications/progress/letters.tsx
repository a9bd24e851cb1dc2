import { Anchor } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import type { ProgressReply } from '#contract/applications/progress.ts';
import { letterEndpoints } from '#contract/letters/endpoints.ts';
import { urlOf } from '#web/platform/api/api.ts';
import classes from './progress.module.css';

/** The papers of an application, in a new tab. */
export function Papers({ tag, papers }: { readonly tag: string; readonly papers: ProgressReply['papers'] }) {
  const params = { tag };
  const links = [
    { there: papers.offerLetter, label: 'Offer letter', url: urlOf(letterEndpoints.offerLetter, { params }) },
    { there: papers.keyFacts, label: 'Key facts', url: urlOf(letterEndpoints.keyFactsLetter, { params }) },
  ].filter(({ there }) => there);
  if (links.length === 0) return null;
  return (
    <div className={classes.links}>
      {links.map(({ label, url }) => (
        <Anchor key={label} href={url} target="_blank" rel="noopener" className={classes.paper}>
          <IconFileText size={18} aria-hidden />
          {label} (PDF)
        </Anchor>
      ))}
    </div>
  );
}
