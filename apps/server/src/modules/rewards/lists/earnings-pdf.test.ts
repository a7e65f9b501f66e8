import { rewardNames } from '@tizara/contract/reward-names'
import type { RewardKind } from '@tizara/contract/rewards'
import { ONE } from '@tizara/money'
import { extractText, getDocumentProxy } from 'unpdf'
import { describe, expect, it } from 'vitest'
import { type MailLanguage, mailLanguage } from '../../../gateways/mailer/index.ts'
import { defaultBrand } from '../../../platform/config/brand.ts'
import { earningsPdf } from './earnings-pdf.ts'

const KINDS = Object.keys(rewardNames) as RewardKind[]
/** One row for each kind in both units. */
const months = KINDS.flatMap((kind) => (['coin', 'usd'] as const).map((asset) => ({ month: '2026-03', kind, asset, amount: 1234n * ONE })))

/** Writes the yearly statement of a brand, and returns its document. */
async function documentIn(language: Pick<MailLanguage, 'language' | 'direction' | 't'>) {
  const brand = defaultBrand('Coral')
  const head = { brand, name: '', email: 'a@b.c', writtenAt: new Date('2027-01-03T09:00:00Z'), language }
  return getDocumentProxy(new Uint8Array(await earningsPdf({ ...head, year: '2026', months })))
}

describe('yearly statement', () => {
  it('has a row for each kind in both units', async () => {
    const { text } = await extractText(await documentIn(mailLanguage({ dataDir: '' }, 'en')), { mergePages: true })
    expect(text.match(/1,234\.00000000/g)?.length).toBe(months.length)
  })

  it('has its columns from right to left in Arabic, with whole amounts and Arabic commas', async () => {
    const document = await documentIn(mailLanguage({ dataDir: '' }, 'ar'))
    const { items } = await (await document.getPage(1)).getTextContent()
    const at = (text: string) => items.flatMap((item) => ('str' in item && item.str === text ? [item.transform[4] + item.width] : []))[0]
    expect(at('2026-03')).toBeCloseTo(559, 0)
    expect(at('1,234.00000000')).toBeLessThan(at('2026-03') ?? 0)
    const { text } = await extractText(document, { mergePages: true })
    expect(text.match(/,(?!\d)/g)).toBeNull()
  })
})
