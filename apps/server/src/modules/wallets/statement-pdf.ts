import { setImmediate } from 'node:timers/promises'
import { formatUnits, type Units } from '@tizara/money'
import type Pdf from 'pdfkit'
import { fontOf, printableRuns, type Subset } from './printable.ts'

/** Most movements per file: about forty pages, laid out within a second. */
export const PDF_MAX_ROWS = 2000

/** A wallet's part of a statement; amounts in units. */
export interface StatementWallet {
  label: string
  unit: string
  opening: Units
  closing: Units
  lines: { at: Date; what: string; amount: Units; balanceAfter: Units; other: string; transfer: string }[]
}

/** Statement contents. */
export interface Statement {
  brand: string
  /** A UTC month such as `2026-01`. */
  month: string
  name: string
  email: string
  writtenAt: Date
  wallets: readonly StatementWallet[]
}

/** Points on A4. */
const PAGE = { left: 36, right: 559, top: 48, bottom: 792 }
const LINE = 13
/** Column positions: left edges of texts, right edges of figures. */
const AT = { time: 36, what: 128, amount: 338, balance: 444, other: 454, transfer: 559 }
const WIDE = { what: 116, other: 66 }

/** Formats eight decimals, so that decimal points align: `-1,234.50000000`. */
function figure(units: Units): string {
  const [whole = '0', decimals = ''] = formatUnits(units < 0n ? -units : units).split('.')
  return `${units < 0n ? '-' : ''}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${decimals.padEnd(8, '0')}`
}

/** Disables glyph composition, as readers could not select composed letters. The library's types allow lists only. */
const wholeLetters = () => ({ ccmp: false }) as unknown as PDFKit.Mixins.OpenTypeFeatures[]

type Doc = InstanceType<typeof Pdf>

/**
 * Renders a statement as a PDF file with selectable text. Equal statements give equal files.
 * @param statement at most `PDF_MAX_ROWS` lines; a name in an unsupported script is omitted, and the email address
 * identifies the member
 */
export async function statementPdf(statement: Statement): Promise<Uint8Array> {
  const info = { Title: `Statement ${statement.month}`, Author: statement.email, CreationDate: statement.writtenAt }
  // Loads the library lazily, as servers start without it.
  const { default: PdfDocument } = await import('pdfkit')
  const doc = new PdfDocument({ size: 'A4', margin: 0, bufferPages: true, lang: 'en', displayTitle: true, info })
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  const written = new Promise((done) => doc.on('end', done))
  const pages = new Pages(doc)
  pages.head(statement)
  for (const wallet of statement.wallets) await pages.wallet(wallet)
  pages.numbers(statement)
  doc.end()
  await written
  return Buffer.concat(chunks)
}

class Pages {
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
  #text(text: string, x: number, { size = 8, width }: { size?: number; width?: number } = {}): void {
    const doc = this.#font('latin', size)
    let shown = text
    while (width !== undefined && doc.widthOfString(shown) > width) shown = `${shown.replace(/…$/, '').slice(0, -1)}…`
    doc.text(shown, x, this.#y, { lineBreak: false })
  }

  #right(text: string, edge: number): void {
    const doc = this.#font('latin', 8)
    doc.text(text, edge - doc.widthOfString(text), this.#y, { lineBreak: false })
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

  /** Starts a new page when the lines do not fit. */
  async #room(lines: number): Promise<void> {
    if (this.#y + lines * LINE <= PAGE.bottom) return
    this.#doc.addPage()
    this.#y = PAGE.top
    // Yields to other requests between pages.
    await setImmediate()
  }

  head({ brand, month, name, email }: Statement): void {
    if (this.#foreign(brand, 16)) this.#y += 24
    this.#text(`Statement of ${month}, from its first to its last moment in UTC`, PAGE.left, { size: 11 })
    this.#y += 20
    if (this.#foreign(name, 10)) this.#y += 14
    this.#text(email, PAGE.left, { size: 10 })
    this.#y += 26
  }

  async wallet({ label, unit, opening, closing, lines }: StatementWallet): Promise<void> {
    await this.#room(6)
    this.#text(`${label}, ${unit}`, PAGE.left, { size: 11 })
    this.#y += 18
    this.#heading()
    this.#balance('Opening balance', opening)
    for (const { at, what, amount, balanceAfter, other, transfer } of lines) {
      const before = this.#y
      await this.#room(1)
      if (this.#y < before) this.#heading()
      this.#text(at.toISOString().slice(0, 19).replace('T', ' '), AT.time)
      this.#text(what, AT.what, { width: WIDE.what })
      this.#right(figure(amount), AT.amount)
      this.#right(figure(balanceAfter), AT.balance)
      this.#text(other, AT.other, { width: WIDE.other })
      this.#right(transfer, AT.transfer)
      this.#y += LINE
    }
    await this.#room(2)
    this.#balance('Closing balance', closing)
    this.#y += 14
  }

  #heading(): void {
    this.#text('Time, UTC', AT.time)
    this.#text('Description', AT.what)
    this.#right('Amount', AT.amount)
    this.#right('Balance after', AT.balance)
    this.#text('Other side', AT.other)
    this.#right('Transfer', AT.transfer)
    this.#y += LINE
    this.#doc
      .moveTo(PAGE.left, this.#y - 2)
      .lineTo(PAGE.right, this.#y - 2)
      .lineWidth(0.5)
      .stroke('#b9b9c4')
  }

  #balance(word: string, balance: Units): void {
    this.#text(word, AT.what)
    this.#right(figure(balance), AT.balance)
    this.#y += LINE
  }

  /** Writes every page's footer, once the page count is known. */
  numbers({ month, email, writtenAt }: Statement): void {
    const { count } = this.#doc.bufferedPageRange()
    for (let page = 0; page < count; page += 1) {
      this.#doc.switchToPage(page)
      this.#y = 812
      this.#text(`${email}, ${month}, written ${writtenAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`, PAGE.left)
      this.#right(`Page ${page + 1} of ${count}`, PAGE.right)
    }
  }
}
