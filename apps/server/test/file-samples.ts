import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { rewardNames } from '@tizara/contract/reward-names'
import type { RewardKind } from '@tizara/contract/rewards'
import { ONE } from '@tizara/money'
import { extractText, getDocumentProxy } from 'unpdf'
import type { MailLanguage } from '../src/gateways/mailer/index.ts'
import { walletKinds } from '../src/ledger/index.ts'
import { earningsPdf } from '../src/modules/rewards/lists/earnings-pdf.ts'
import { calendarText, type DueDay } from '../src/modules/staking/calendar.rules.ts'
import { walletLabel } from '../src/modules/wallets/index.ts'
import type { PdfHead } from '../src/modules/wallets/pdf-pages.ts'
import { statementPdf } from '../src/modules/wallets/statement-pdf.ts'

/** Brand and language of a sample. */
export interface SampleHead {
  brand: PdfHead['brand']
  language: Pick<MailLanguage, 'language' | 'direction' | 't'>
}

const AT = new Date('2027-01-03T09:00:00Z')
const MEMBER = { name: '', email: 'a@b.c', writtenAt: AT }

/** Each PDF file of the product with all its kinds of rows, by the module that renders it. */
export const PDF_SAMPLES: Readonly<Record<string, (head: SampleHead) => Promise<Uint8Array>>> = {
  'wallets/statement-pdf.ts': (head) => {
    const line = { at: AT, what: 'Level reward', amount: 5n, balanceAfter: 5n, other: 'Another member', transfer: '1000' }
    const amounts = { opening: 0n, closing: 5n, lines: [line] }
    const wallets = walletKinds.map((kind) => ({ label: walletLabel(kind), unit: 'coin' as const, ...amounts }))
    return statementPdf({ ...head, ...MEMBER, month: '2026-02', wallets })
  },
  'rewards/lists/earnings-pdf.ts': (head) => {
    const amount = 1234n * ONE
    const kinds = Object.keys(rewardNames) as RewardKind[]
    const months = kinds.flatMap((kind) => (['coin', 'usd'] as const).map((asset) => ({ month: '2026-03', kind, asset, amount })))
    return earningsPdf({ ...head, ...MEMBER, year: '2026', months })
  },
}

const DUE: Readonly<Record<DueDay['kind'], true>> = {
  'daily-reward': true,
  'stake-log-reward': true,
  maturity: true,
  'nft-reward': true,
  release: true,
}

/** Each calendar of the product with all its kinds of events, by the module that renders it. */
export const CALENDAR_SAMPLES: Readonly<Record<string, (head: SampleHead) => string>> = {
  'staking/calendar.rules.ts': ({ brand, language }) => {
    const kinds = Object.keys(DUE) as DueDay['kind'][]
    const days = kinds.map((kind): DueDay => ({ day: '2026-03-01', kind, asset: 'usd', amount: ONE, sources: 2 }))
    return calendarText(days, { now: AT, name: brand.name, token: 'USD', t: language.t })
  },
}

const MODULES = path.join(import.meta.dirname, '../src/modules')

/** Returns the modules whose code contains a text, without tests and the module that defines it. */
export const modulesWith = (text: string): string[] =>
  globSync('**/*.ts', { cwd: MODULES })
    .filter((file) => !file.endsWith('.test.ts'))
    .filter((file) => {
      const code = readFileSync(path.join(MODULES, file), 'utf8')
      return code.includes(text) && !code.includes(`function ${text}`)
    })
    .toSorted()

/** Returns the texts of a PDF file's pages and its title. */
export async function textsOfPdf(bytes: Uint8Array): Promise<string> {
  const document = await getDocumentProxy(new Uint8Array(bytes))
  const { text } = await extractText(document, { mergePages: true })
  const { info } = await document.getMetadata()
  return `${text}\n${String(new Map<string, unknown>(Object.entries(info)).get('Title'))}`
}
