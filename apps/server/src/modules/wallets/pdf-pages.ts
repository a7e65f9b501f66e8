import { setImmediate } from 'node:timers/promises'
import type { Translate } from '@tizara/languages'
import { formatUnits, type Units } from '@tizara/money'
import type Pdf from 'pdfkit'
import { ENGLISH, type MailLanguage } from '../../gateways/mailer/index.ts'
import type { Brand } from '../../platform/config/brand.ts'
import { fontOf, type PrintableRun, printableRuns, type Subset } from './printable.ts'

/** Points on A4. */
export const PAGE = { left: 36, right: 559, top: 48, bottom: 792 }
const LINE = 13
/** Smallest size of letters in points. */
const MIN_SIZE = 6
/** Side of the logo in points. */
const LOGO = 32
/** Width of a column of figures in points: `-1,234,567.00000000` at 8 points. */
const FIGURE_WIDTH = 88

/** Formats eight decimals, so that decimal points align: `-1,234.50000000`. */
function figure(units: Units): string {
  const [whole = '0', decimals = ''] = formatUnits(units < 0n ? -units : units).split('.')
  return `${units < 0n ? '-' : ''}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${decimals.padEnd(8, '0')}`
}

/** Returns the name of a statement's unit. */
export const unitName = (unit: 'USD' | 'coin', t: Translate): string => (unit === 'USD' ? unit : t('coin'))

/** Disables glyph composition, as readers could not select composed letters. The library's types allow lists only. */
const wholeLetters = () => ({ ccmp: false }) as unknown as PDFKit.Mixins.OpenTypeFeatures[]

/** Returns a position on a page whose columns run from right to left. */
const mirror = (x: number): number => PAGE.left + PAGE.right - x

type Doc = InstanceType<typeof Pdf>

/** The member and the moment of a file. */
export interface PdfHead {
  brand: Pick<Brand, 'name' | 'logo'>
  /** Language of the texts. The file is in English if the fonts lack its letters. */
  language?: Pick<MailLanguage, 'language' | 'direction' | 't'>
  /** The first line. */
  heading: (t: Translate) => string
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
export async function renderPdf(
  head: PdfHead & { title: (t: Translate) => string },
  write: (pages: PdfPages, t: Translate) => Promise<void>,
): Promise<Uint8Array> {
  const { t, language, direction } = head.language ?? ENGLISH
  const info = { Title: head.title(t), Author: head.email, CreationDate: head.writtenAt }
  // Loads the library lazily, as servers start without it.
  const { default: PdfDocument } = await import('pdfkit')
  const doc = new PdfDocument({ size: 'A4', margin: 0, bufferPages: true, lang: language, displayTitle: true, info })
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  const written = new Promise((done) => doc.on('end', done))
  const pages = new PdfPages(doc, direction === 'rtl')
  pages.head(head, t)
  await write(pages, t)
  pages.numbers(head, t)
  doc.end()
  await written
  if (pages.lacksLetters && language !== 'en') return renderPdf({ ...head, language: ENGLISH }, write)
  return Buffer.concat(chunks)
}

/**
 * Writes texts and amounts, from the top of the first page down. Positions are mirrored in a language that runs from right to left
 * (docs/decisions/0074-arabic-pdf-files.md).
 */
export class PdfPages {
  #doc: Doc
  #isMirrored: boolean
  #fonts = new Set<Subset>()
  #y = PAGE.top
  /** True if a text was omitted because no font has all of its letters. */
  lacksLetters = false

  constructor(doc: Doc, isMirrored: boolean) {
    this.#doc = doc
    this.#isMirrored = isMirrored
  }

  #font(subset: Subset, size: number): Doc {
    if (!this.#fonts.has(subset)) this.#doc.registerFont(subset, fontOf(subset))
    this.#fonts.add(subset)
    return this.#doc.font(subset).fontSize(size)
  }

  /** Writes a product text. One that is wider than its column is smaller, and then truncated. */
  text(text: string, x: number, { size = 8, width = Infinity }: { size?: number; width?: number } = {}): void {
    let shown = text
    let shownSize = size
    while (shownSize > MIN_SIZE && this.#width(shown, shownSize) > width) shownSize -= 0.5
    while (this.#width(shown, shownSize) > width) shown = `${shown.replace(/…$/, '').slice(0, -1)}…`
    if (!this.#write(shown, x, shownSize, true)) this.lacksLetters = true
  }

  /** Writes a text that ends at an edge. */
  right(text: string, edge: number): void {
    this.text(text, edge - this.#width(text, 8))
  }

  /** Writes an amount with eight decimals that ends at an edge. */
  figure(units: Units, edge: number): void {
    this.figureHeading(figure(units), edge)
  }

  /** Writes the heading of a column of amounts. It ends on the right, like the amounts, in all languages. */
  figureHeading(text: string, edge: number): void {
    this.right(text, this.#isMirrored ? edge - FIGURE_WIDTH + this.#width(text, 8) : edge)
  }

  #width(text: string, size: number): number {
    return (printableRuns(text, true)?.runs ?? []).reduce((sum, run) => sum + this.#widthOf(run, size), 0)
  }

  #widthOf({ subset, text }: PrintableRun, size: number): number {
    return this.#font(subset, size).widthOfString(text, { features: wholeLetters() })
  }

  /** Writes a text, if all characters are supported. The order of reading in the file lets readers select it. */
  #write(text: string, start: number, size: number, isTranslated = false): boolean {
    const printable = printableRuns(text, isTranslated)
    let x = this.#isMirrored ? mirror(start) - this.#width(text, size) : start
    const left = new Map<PrintableRun, number>()
    for (const run of printable?.visualOrder ?? []) {
      left.set(run, x)
      x += this.#widthOf(run, size)
    }
    for (const run of printable?.runs ?? [])
      this.#font(run.subset, size).text(run.text, left.get(run), this.#y, { lineBreak: false, features: wholeLetters() })
    return printable !== undefined
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

  head({ brand, heading, name, email }: PdfHead, t: Translate): void {
    if (brand.logo !== null)
      this.#doc.image(brand.logo.mark, this.#isMirrored ? PAGE.left : PAGE.right - LOGO, PAGE.top - 4, { width: LOGO, height: LOGO })
    if (this.#write(brand.name, PAGE.left, 16)) this.#y += 24
    this.text(heading(t), PAGE.left, { size: 11 })
    this.#y += 20
    if (this.#write(name, PAGE.left, 10)) this.#y += 14
    this.text(email, PAGE.left, { size: 10 })
    this.#y += 26
  }

  /** Writes the footers of all pages, after the number of pages is known. */
  numbers({ period, email, writtenAt }: PdfHead, t: Translate): void {
    const { count } = this.#doc.bufferedPageRange()
    const time = writtenAt.toISOString().slice(0, 16).replace('T', ' ')
    for (let page = 0; page < count; page += 1) {
      this.#doc.switchToPage(page)
      this.#y = 812
      this.text(t('{email}, {period}, written {time} UTC', { email, period, time }), PAGE.left)
      this.right(t('Page {page} of {count}', { page: page + 1, count }), PAGE.right)
    }
  }
}
