import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { FILE_MISSING, type UploadBody, uploadBody } from '#contract/documents/schema.ts';
import { AppError } from '#server/calls/app-error.ts';
import type { Upload } from '#server/documents/documents.service.ts';
import type { FileStore } from '#server/files/files.ts';
import type { ReceivedFile } from '#server/files/inbox.ts';
import { fieldMessages } from '#server/http/http.ts';
import { plainMessage } from '#server/http/plain-messages.ts';

/** The name of the multipart part with the file. */
const FILE_PART = 'file';

interface ArrivedFile {
  readonly name: string | undefined;
  readonly received: ReceivedFile;
}

/**
 * Reads an upload: its fields, in any order, and its one file, streamed into the inbox. Calls `admit` as soon as the
 * fields are known, so that a refused file is not stored if its fields come first. Throws BAD_REQUEST naming the wrong
 * fields, MEDIA_TYPE, FILE_TOO_LARGE, MALFORMED for a truncated body, and the errors of `admit`; the inbox is empty
 * then. The caller must delete the received file.
 */
export async function readUploadForm(
  request: FastifyRequest,
  files: FileStore,
  admit: (body: UploadBody) => Promise<void>,
): Promise<Upload> {
  const fields = new Map<string, unknown>();
  let file: ArrivedFile | undefined;
  let isAdmitted = false;
  try {
    for await (const part of partsOf(request)) {
      if (part.type === 'file' && part.fieldname === FILE_PART) {
        const early = uploadBody.safeParse(Object.fromEntries(fields));
        if (early.success) await admit(early.data);
        isAdmitted = early.success;
        file = { name: part.filename, received: await files.receive(contentOf(part.file)) };
      } else {
        // A field that occurs twice, or that arrives as a file, is invalid.
        const isPlain = part.type === 'field' && !fields.has(part.fieldname);
        fields.set(part.fieldname, isPlain ? part.value : null);
        if (part.type === 'file') part.file.resume();
      }
    }
    const { body, received, name } = requireAll(fields, file);
    if (!isAdmitted) await admit(body);
    return { body, received, fileName: name };
  } catch (error) {
    if (file !== undefined) await files.forget(file.received);
    discardRest(request);
    throw error;
  }
}

function requireAll(fields: ReadonlyMap<string, unknown>, file: ArrivedFile | undefined) {
  const parsed = uploadBody.safeParse(Object.fromEntries(fields), { error: plainMessage });
  if (parsed.success && file !== undefined) return { body: parsed.data, ...file };
  throw new AppError('BAD_REQUEST', {
    fields: {
      ...(parsed.success ? {} : fieldMessages(parsed.error)),
      ...(file === undefined ? { [FILE_PART]: FILE_MISSING } : {}),
    },
  });
}

/**
 * The request's parts. The request may have been aborted while it waited in the queue; errors in its form are the
 * sender's. Throws MEDIA_TYPE for another type.
 */
async function* partsOf(request: FastifyRequest) {
  if (!request.isMultipart()) throw new AppError('MEDIA_TYPE');
  if (request.raw.destroyed) throw new AppError('MALFORMED');
  try {
    yield* request.parts();
  } catch (error) {
    throw asRefusal(error);
  }
}

/** The content of the file. The plugin silently truncates it at the limit; we refuse it at once instead. */
async function* contentOf(file: MultipartFile['file']): AsyncGenerator<Buffer> {
  const refuse = (): void => {
    file.destroy(new AppError('FILE_TOO_LARGE'));
  };
  if (file.truncated) refuse();
  else file.once('limit', refuse);
  try {
    for await (const chunk of file) yield chunk;
  } catch (error) {
    throw asRefusal(error);
  }
}

function asRefusal(error: unknown): AppError {
  return error instanceof AppError ? error : new AppError('MALFORMED');
}

/**
 * Reads and drops the rest of a refused upload, because a browser reads the reply only after it has sent everything.
 */
function discardRest(request: FastifyRequest): void {
  request.raw.unpipe();
  request.raw.resume();
}
