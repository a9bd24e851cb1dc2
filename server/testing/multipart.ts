/** Payload and headers of a multipart request with fields and one part named `file`, as a browser writes them. */
export async function multipart(
  fields: Readonly<Record<string, string>>,
  file: Buffer,
  fileName = 'document.pdf',
  type = 'application/pdf',
): Promise<{ payload: Buffer; headers: Record<string, string> }> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(file)], { type }), fileName);
  const encoded = new Response(form);
  return {
    payload: Buffer.from(await encoded.arrayBuffer()),
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
  };
}
