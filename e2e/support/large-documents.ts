import sharp from 'sharp';

/** Large documents, as phones and scanners make them. */

const WIDTH = 3024;
const HEIGHT = 4032;
const TILE = WIDTH / 6;

let photo: Promise<Buffer> | undefined;

/**
 * A photo of an invoice with small print, over 3 MB: 12 megapixels with sensor noise, taken with the camera on its
 * side, with place and time in its metadata. Made once, in two seconds on a quiet machine.
 */
export function invoicePhoto(): Promise<Buffer> {
  photo ??= takePhoto();
  return photo;
}

async function takePhoto(): Promise<Buffer> {
  const noise = await sharp({
    create: {
      width: TILE,
      height: TILE,
      channels: 3,
      background: 'black',
      noise: { type: 'gaussian', mean: 128, sigma: 42 },
    },
  })
    .png()
    .toBuffer();
  const upright = await sharp(Buffer.from(page()))
    .composite([{ input: noise, tile: true, blend: 'overlay' }])
    .removeAlpha()
    .raw()
    .toBuffer();
  return sharp(upright, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .rotate(-90)
    .withExif({ IFD0: { Make: 'Tecno', DateTime: '2026:11:20 12:00:00' }, IFD3: { GPSLatitude: '0/1 18/1 49/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 93 })
    .toBuffer();
}

/** An A4 page at 366 dots per inch: print of 6, 7, 8 and 10 points, as on invoices. */
function page(): string {
  const dots = (points: number) => Math.round((points / 72) * 366);
  const lines: string[] = [];
  let y = 300;
  const line = (points: number, text: string): void => {
    y += Math.round(dots(points) * 1.5);
    lines.push(
      `<text x="200" y="${y}" font-family="DejaVu Sans" font-size="${dots(points)}" fill="#222">${text}</text>`,
    );
  };
  line(22, 'TAX INVOICE INV-0042');
  line(10, 'Nakasero Traders Ltd, Plot 12 Market Street, Kampala. TIN 1000482913');
  for (let item = 1; item <= 20; item += 1)
    line(8, `${item}. Maize flour grade ${item}, 50 kg bags: ${item * 3} at UGX 187,${350 + item}.50`);
  for (let clause = 1; clause <= 8; clause += 1)
    line(7, `Clause ${clause}: payment within 30 days of delivery; interest of 1.${clause} % a month after that date.`);
  for (let note = 1; note <= 6; note += 1)
    line(
      6,
      `Note ${note}: account 0140-5586-32${note}8, Stanbic Uganda, reference 8B3O0Q5S6${note}; goods once sold are not returned.`,
    );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><rect width="100%" height="100%" fill="#f4f1ea"/>${lines.join('')}</svg>`;
}

/** A PDF of one page and exactly this size. */
export function pdfOf(bytes: number): Buffer {
  const objects = [
    '1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n',
    '2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n',
    '3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>\nendobj\n',
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object) => {
    const offset = body.length;
    body += object;
    return offset;
  });
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const ending = (start: number) =>
    `xref\n0 4\n0000000000 65535 f \n${entries}trailer\n<</Size 4/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`;
  const start = bytes - ending(bytes - ending(bytes).length).length;
  // A comment pads it; no two parts of it are alike.
  let filler = '';
  for (let line = 0; filler.length < start - body.length; line += 1) filler += `% ${line}\n`;
  return Buffer.from(`${body}${filler.slice(0, start - body.length - 1)}\n${ending(start)}`, 'latin1');
}
