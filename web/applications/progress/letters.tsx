import { Anchor } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import type { ProgressReply } from '#contract/applications/progress.ts';
import { letterEndpoints } from '#contract/letters/endpoints.ts';
import { urlOf } from '#web/platform/api/question.ts';
import classes from './progress.module.css';

/** An application's letters, and for officers its evidence. Each opens in a new tab. */
export function Letters({ tag, papers }: { readonly tag: string; readonly papers: ProgressReply['papers'] }) {
  const params = { tag };
  const links = [
    { there: papers.offerLetter, label: 'Offer letter', url: urlOf(letterEndpoints.offerLetter, { params }) },
    { there: papers.keyFacts, label: 'Key facts', url: urlOf(letterEndpoints.keyFactsLetter, { params }) },
    { there: papers.evidence, label: 'Evidence', url: urlOf(letterEndpoints.evidence, { params }) },
  ].filter(({ there }) => there);
  if (links.length === 0) return null;
  return (
    <div className={classes.links}>
      {links.map(({ label, url }) => (
        <Anchor key={label} href={url} target="_blank" rel="noopener" className={classes.letter}>
          <IconFileText size={18} aria-hidden />
          {label} (PDF)
        </Anchor>
      ))}
    </div>
  );
}
