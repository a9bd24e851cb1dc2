import { createRequire } from 'node:module';
import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';
import { PRODUCT_NAME } from '#contract/product.ts';
import { appVersion } from '#server/machine/version.ts';
import type { Block, Letter } from './letter.ts';

/**
 * The layout of letters: A4, one column, DejaVu, which has the characters of every language of Uganda (the standard PDF
 * fonts lack ŋ). Drawn by pdfkit, in the thread that `letters.ts` starts.
 */

const { resolve } = createRequire(import.meta.url);
const FONT = resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');
const BOLD = resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf');

const INK = '#1a1f26';
const FAINT = '#5b6570';
const HAIRLINE = '#d5dae0';
const MARGIN = 56;
const size = { title: 20, heading: 12, text: 9.5, small: 8 } as const;

type Sheet = PDFKit.PDFDocument;

/** Draws a letter as a PDF, deterministically. */
export async function drawLetter({ title, subtitle, at, blocks }: Letter): Promise<Buffer> {
  const sheet = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    lang: 'en-UG',
    displayTitle: true,
    info: { Title: title, Author: PRODUCT_NAME, CreationDate: at, ModDate: at },
  });
  const drawn = buffer(sheet);
  sheet.font(BOLD).fontSize(size.text).fillColor(FAINT).text(PRODUCT_NAME);
  sheet.moveDown(0.6).fontSize(size.title).fillColor(INK).text(title).moveDown(0.15);
  sheet.font(FONT).fontSize(size.text).fillColor(FAINT).text(subtitle).moveDown(1);
  for (const block of blocks) drawBlock(sheet, block);
  drawFeet(sheet);
  sheet.end();
  return drawn;
}

function drawBlock(sheet: Sheet, block: Block): void {
  if ('heading' in block) drawHeading(sheet, block.heading);
  else if ('text' in block) {
    sheet
      .font(FONT)
      .fontSize(size.text)
      .fillColor(block.faint ? FAINT : INK);
    sheet.text(block.text, { lineGap: 2 }).moveDown(0.7);
  } else if ('facts' in block) drawFacts(sheet, block.facts);
  else if ('amount' in block) drawAmount(sheet, block);
  else drawTable(sheet, block);
}

/** Never leaves a heading alone at the foot of a page. */
function drawHeading(sheet: Sheet, heading: string): void {
  if (sheet.y > sheet.page.height - MARGIN * 2.5) sheet.addPage();
  sheet.moveDown(0.6).font(BOLD).fontSize(size.heading).fillColor(INK).text(heading).moveDown(0.4);
}

function drawAmount(sheet: Sheet, { amount, label }: { readonly amount: string; readonly label: string }): void {
  sheet.font(FONT).fontSize(size.text).fillColor(FAINT).text(label);
  sheet.font(BOLD).fontSize(size.title).fillColor(INK).text(amount).moveDown(0.6);
}

function drawFacts(sheet: Sheet, facts: readonly (readonly [string, string])[]): void {
  drawTable(sheet, { columns: [], rows: facts, widths: [0.36, 0.64] });
}

function drawTable(sheet: Sheet, table: Extract<Block, { readonly columns: readonly string[] }>): void {
  const width = sheet.page.width - 2 * MARGIN;
  const isFigure = (column: number): boolean => table.figures?.includes(column) === true;
  const cell = (text: string, column: number, header: boolean) => ({
    text,
    align: { x: isFigure(column) ? ('right' as const) : ('left' as const), y: 'top' as const },
    font: { src: header ? BOLD : FONT, size: table.columns.length > 4 ? size.small : size.text },
    textColor: header || (table.columns.length === 0 && column === 0) ? FAINT : INK,
    border: { top: 0, left: 0, right: 0, bottom: 0.5 },
    borderColor: HAIRLINE,
    padding: { top: 3, bottom: 3, left: column === 0 ? 0 : 6, right: 0 },
  });
  const head = table.columns.length === 0 ? [] : [table.columns.map((text, column) => cell(text, column, true))];
  const rows = table.rows.map((row) => row.map((text, column) => cell(text, column, false)));
  sheet.font(FONT).fontSize(size.text);
  sheet.table({ data: [...head, ...rows], columnStyles: table.widths.map((share) => share * width) });
  sheet.x = MARGIN;
  sheet.moveDown(0.9);
}

/** Draws the version that drew the letter, and the page number. */
function drawFeet(sheet: Sheet): void {
  const { start, count } = sheet.bufferedPageRange();
  for (let page = start; page < start + count; page += 1) {
    sheet.switchToPage(page);
    // In the bottom margin, where text would otherwise start a new page.
    sheet.page.margins.bottom = 0;
    sheet.font(FONT).fontSize(size.small).fillColor(FAINT);
    const foot = sheet.page.height - MARGIN * 0.7;
    sheet.text(`${PRODUCT_NAME} ${appVersion}`, MARGIN, foot, { lineBreak: false });
    sheet.text(`${page + 1} of ${count}`, MARGIN, foot, { align: 'right', lineBreak: false });
  }
}
