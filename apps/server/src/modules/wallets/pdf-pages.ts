import { setImmediate } from 'node:timers/promises'
import { formatUnits, type Units } from '@tizara/money'
import type Pdf from 'pdfkit'
import type { Brand } from '../../platform/config/brand.ts'
import { fontOf, printableRuns, type Subset } from './printable.ts'

/** Points on A4. */
export const PAGE = { left: 36, right: 559, top: 48, bottom: 792 }
const LINE = 13
/** Side of the logo in points. */
const LOGO = 32

/** Formats eight decimals, so that decimal points align: `-1,234.50000000`. */
function figure(units: Units): string {
  const [whole = '0', decimals = ''] = formatUnits(units < 0n ? -units : units).split('.')
  return `${units < 0n ? '-' : ''}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${decimals.padEnd(8, '0')}`
}

/** Disables glyph composition, as readers could not select composed letters. The library's types allow lists only. */
const wholeLetters = () => ({ ccmp: false }) as unknown as PDFKit.Mixins.OpenTypeFeatures[]

type Doc = InstanceType<typeof Pdf>

/** The member and the moment of a file. */
export interface PdfHead {
  brand: Pick<Brand, 'name' | 'logo'>
  /** The first line. */
  heading: string
  /** Names the file's period in the footer. */
  period: string
  name: string
  email: string
  writtenAt: Date
}

/**
 * Renders a file with selectable text. Equal contents give equal files.
 * @param head a name in an unsupported script is omitted, and the email address identifies the member
 */
export async function renderPdf(head: PdfHead & { title: string }, write: (pages: PdfPages) => Promise<void>): Promise<Uint8Array> {
  const info = { Title: head.title, Author: head.email, CreationDate: head.writtenAt }
  // Loads the library lazily, as servers start without it.
  const { default: PdfDocument } = await import('pdfkit')
  const doc = new PdfDocument({ size: 'A4', margin: 0, bufferPages: true, lang: 'en', displayTitle: true, info })
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  const written = new Promise((done) => doc.on('end', done))
  const pages = new PdfPages(doc)
  pages.head(head)
  await write(pages)
  pages.numbers(head)
  doc.end()
  await written
  return Buffer.concat(chunks)
}

/** Writes texts and amounts, from the top of the first page down. */
export class PdfPages {
  #doc: Doc
  #fonts = new Set<Subset>()
  #y = PAGE.top

  constructor(doc: Doc) {
    this.#doc = doc
  }

  #font(subset: Subset, size: number): Doc {
    if (!this.#fonts.has(subset)) this.#doc.registerFont(subset, fontOf(subset))
    this.#fonts.add(subset)
    return this.#doc.font(subset).fontSize(size)
  }

  /** Writes a product text, truncated at its column's end. */
  text(text: string, x: number, { size = 8, width }: { size?: number; width?: number } = {}): void {
    const doc = this.#font('latin', size)
    let shown = text
    while (width !== undefined && doc.widthOfString(shown) > width) shown = `${shown.replace(/…$/, '').slice(0, -1)}…`
    doc.text(shown, x, this.#y, { lineBreak: false })
  }

  /** Writes a text that ends at an edge. */
  right(text: string, edge: number): void {
    const doc = this.#font('latin', 8)
    doc.text(text, edge - doc.widthOfString(text), this.#y, { lineBreak: false })
  }

  /** Writes an amount with eight decimals that ends at an edge. */
  figure(units: Units, edge: number): void {
    this.right(figure(units), edge)
  }

  /** Writes a member's text, if all characters are supported. */
  #foreign(text: string, size: number): boolean {
    const runs = printableRuns(text)
    let x = PAGE.left
    for (const run of runs ?? []) {
      const doc = this.#font(run.subset, size)
      doc.text(run.text, x, this.#y, { lineBreak: false, features: wholeLetters() })
      x += doc.widthOfString(run.text, { features: wholeLetters() })
    }
    return runs !== undefined
  }

  /** Moves down by one line, or by some points. */
  down(points = LINE): void {
    this.#y += points
  }

  /**
   * Starts a new page when the lines do not fit.
   * @returns true for a new page
   */
  async reserve(lines: number): Promise<boolean> {
    if (this.#y + lines * LINE <= PAGE.bottom) return false
    this.#doc.addPage()
    this.#y = PAGE.top
    // Yields to other requests between pages.
    await setImmediate()
    return true
  }

  /** Draws a line under the row above. */
  rule(): void {
    this.#doc
      .moveTo(PAGE.left, this.#y - 2)
      .lineTo(PAGE.right, this.#y - 2)
      .lineWidth(0.5)
      .stroke('#b9b9c4')
  }

  head({ brand, heading, name, email }: PdfHead): void {
    if (brand.logo !== null) this.#doc.image(brand.logo.mark, PAGE.right - LOGO, PAGE.top - 4, { width: LOGO, height: LOGO })
    if (this.#foreign(brand.name, 16)) this.#y += 24
    this.text(heading, PAGE.left, { size: 11 })
    this.#y += 20
    if (this.#foreign(name, 10)) this.#y += 14
    this.text(email, PAGE.left, { size: 10 })
    this.#y += 26
  }

  /** Writes the footers of all pages, after the number of pages is known. */
  numbers({ period, email, writtenAt }: PdfHead): void {
    const { count } = this.#doc.bufferedPageRange()
    for (let page = 0; page < count; page += 1) {
      this.#doc.switchToPage(page)
      this.#y = 812
      this.text(`${email}, ${period}, written ${writtenAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`, PAGE.left)
      this.right(`Page ${page + 1} of ${count}`, PAGE.right)
    }
  }
}
