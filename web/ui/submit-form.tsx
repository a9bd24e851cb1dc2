import { Box, LoadingOverlay } from '@mantine/core';
import type { ReactNode, SubmitEventHandler } from 'react';

interface SubmitFormProps {
  readonly onSubmit: SubmitEventHandler<HTMLFormElement>;
  /** While it is being sent an overlay stands over it (specification, section 4, 'Login'). */
  readonly submitting: boolean;
  readonly children: ReactNode;
}

/** A form that says itself what is wrong with it and cannot be sent twice. */
export function SubmitForm({ onSubmit, submitting, children }: SubmitFormProps) {
  return (
    <Box pos="relative" aria-busy={submitting}>
      <LoadingOverlay
        visible={submitting}
        overlayProps={{ color: 'var(--mantine-color-body)', backgroundOpacity: 0.7 }}
      />
      <form noValidate onSubmit={onSubmit}>
        {children}
      </form>
    </Box>
  );
}
