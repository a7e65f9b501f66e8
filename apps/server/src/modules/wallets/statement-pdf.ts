import type { Translate } from '@tizara/languages'
import type { Units } from '@tizara/money'
import { PAGE, type PdfHead, type PdfPages, renderPdf, unitName } from './pdf-pages.ts'

/** Maximum movements per file: about forty pages, laid out within a second. */
export const PDF_MAX_ROWS = 2000

/** A wallet's part of a statement; amounts in units. */
export interface StatementWallet {
  label: string
  unit: 'USD' | 'coin'
  opening: Units
  closing: Units
  lines: { at: Date; what: string; amount: Units; balanceAfter: Units; other: string; transfer: string }[]
}

/** Statement contents. */
export interface Statement extends Omit<PdfHead, 'heading' | 'period'> {
  /** A UTC month such as `2026-01`. */
  month: string
  wallets: readonly StatementWallet[]
}

/** Positions of the columns: left edges of texts, right edges of amounts. */
const AT = { time: 36, what: 128, amount: 338, balance: 444, other: 454, transfer: 559 }
const WIDE = { what: 116, other: 66 }

/**
 * Renders a statement as a PDF file.
 * @param statement at most `PDF_MAX_ROWS` lines
 */
export function statementPdf({ month, wallets, ...head }: Statement): Promise<Uint8Array> {
  const heading = (t: Translate) => t('Statement of {month}, from its first to its last moment in UTC', { month })
  return renderPdf({ ...head, title: (t) => t('Statement {month}', { month }), heading, period: month }, async (pages, t) => {
    for (const wallet of wallets) await writeWallet(pages, t, wallet)
  })
}

async function writeWallet(pages: PdfPages, t: Translate, { label, unit, opening, closing, lines }: StatementWallet): Promise<void> {
  await pages.reserve(6)
  pages.text(t('{wallet}, {unit}', { wallet: t(label), unit: unitName(unit, t) }), PAGE.left, { size: 11 })
  pages.down(18)
  writeHeading(pages, t)
  writeBalance(pages, t('Opening balance'), opening)
  for (const { at, what, amount, balanceAfter, other, transfer } of lines) {
    if (await pages.reserve(1)) writeHeading(pages, t)
    pages.text(at.toISOString().slice(0, 19).replace('T', ' '), AT.time)
    pages.text(t(what), AT.what, { width: WIDE.what })
    pages.figure(amount, AT.amount)
    pages.figure(balanceAfter, AT.balance)
    pages.text(t(other), AT.other, { width: WIDE.other })
    pages.right(transfer, AT.transfer)
    pages.down()
  }
  await pages.reserve(2)
  writeBalance(pages, t('Closing balance'), closing)
  pages.down(14)
}

function writeHeading(pages: PdfPages, t: Translate): void {
  pages.text(t('Time, UTC'), AT.time)
  pages.text(t('Description'), AT.what)
  pages.figureHeading(t('Amount'), AT.amount)
  pages.figureHeading(t('Balance after'), AT.balance)
  pages.text(t('Other side'), AT.other)
  pages.right(t('Transfer'), AT.transfer)
  pages.down()
  pages.rule()
}

function writeBalance(pages: PdfPages, label: string, balance: Units): void {
  pages.text(label, AT.what)
  pages.figure(balance, AT.balance)
  pages.down()
}
