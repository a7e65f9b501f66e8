import { translator } from '@tizara/languages'
import { ONE, parseUnits, type Units } from '@tizara/money'
import { extractText, getDocumentProxy } from 'unpdf'
import { describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { createTestMember, fund } from '../../../test/members.ts'
import { outside } from '../../../test/outside.ts'
import { backgroundJobs } from '../../jobs/background-jobs.job.ts'
import { mailLanguage } from '../../gateways/mailer/index.ts'
import { balancesOf, post } from '../../ledger/index.ts'
import { allTransfers } from '../../main/all-checks.ts'
import { printableRuns } from './printable.ts'
import { statementJob, walletRoutes, walletJobs } from './index.ts'
import { PDF_MAX_ROWS, type Statement, statementPdf, type StatementWallet } from './statement-pdf.ts'
import { defaultBrand } from '../../platform/config/brand.ts'

const pagesOf = async (bytes: Uint8Array) => (await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: false })).text
const statement = (changes: Partial<Statement> = {}): Statement => ({
  brand: defaultBrand('Tizara'),
  month: '2026-04',
  name: 'Ada Byron',
  email: 'ada@example.com',
  writtenAt: new Date('2026-05-03T09:00:00Z'),
  wallets: [],
  ...changes,
})
const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    at: new Date(Date.UTC(2026, 3, 1, 0, 0, index)),
    what: 'Daily stake rewards of a very long name that no column holds',
    amount: BigInt(index + 1),
    balanceAfter: BigInt(index + 1) * ONE,
    other: 'Another member',
    transfer: String(1000 + index),
  }))
/** Text without spaces, which readers leave out between parts of a line. */
const selectable = (text: string): string => text.replaceAll(/\s+/g, '')
/** The text that the reader of these tests finds: it reverses the two letters of the ligature of lam and alef. */
const selected = (text: string): string => selectable(text).replaceAll(/ل([اأإآ])/g, '$1ل')
const [line] = lines(1) as [StatementWallet['lines'][number]]

describe('statement pages', () => {
  it('contain every movement as text, with header, footer and number on each page', async () => {
    const wallet = { label: 'My Wallet', unit: 'coin' as const, opening: -5n, closing: 1_234_567n * ONE, lines: lines(130) }
    const pages = await pagesOf(await statementPdf(statement({ wallets: [wallet] })))
    expect(pages).toHaveLength(3)
    for (const [index, page] of pages.entries()) {
      expect(page).toContain(`Page ${index + 1} of 3`)
      expect(page).toContain('Balance after')
      expect(page).toContain('ada@example.com, 2026-04, written 2026-05-03 09:00 UTC')
    }
    const all = pages.join('\n')
    for (const { transfer, at } of wallet.lines) {
      expect(all.split(transfer).length - 1).toBeGreaterThanOrEqual(1)
      expect(all).toContain(at.toISOString().slice(0, 19).replace('T', ' '))
    }
    expect(all).toContain('-0.00000005')
    expect(all).toContain('1,234,567.00000000')
    expect(all).toContain('Ada Byron')
  })

  it.each(['es', 'fr', 'ar'])('are in the language %s', async (tag) => {
    const language = mailLanguage({ dataDir: '' }, tag)
    const { t } = language
    const wallet = { label: 'My Wallet', unit: 'coin' as const, opening: 0n, closing: 0n, lines: [{ ...line, what: 'Level reward' }] }
    const [page = ''] = await pagesOf(await statementPdf(statement({ language, wallets: [wallet] })))
    for (const text of ['Opening balance', 'Closing balance', 'Other side', 'Time, UTC', 'My Wallet', 'Level reward', 'Another member'])
      expect(selectable(page)).toContain(selected(t(text)))
    expect(selectable(page)).toContain(selected(t('Page {page} of {count}', { page: 1, count: 1 })))
    if (tag === 'es') expect(page).toContain('Saldo inicial')
    if (tag === 'ar') expect(page).toContain('الرصيد الختامي')
    // No text that the code puts together has a comma of another language.
    if (tag === 'ar') expect(page.match(/,(?!\d)/g)).toBeNull()
  })

  it('have columns from right to left in Arabic, and amounts that end at the same position', async () => {
    const wallet = { label: 'My Wallet', unit: 'coin' as const, opening: -5n, closing: 1_234_567n * ONE, lines: lines(2) }
    const language = mailLanguage({ dataDir: '' }, 'ar')
    const document = await getDocumentProxy(new Uint8Array(await statementPdf(statement({ language, wallets: [wallet] }))))
    const { items } = await (await document.getPage(1)).getTextContent()
    const places = items.flatMap((item) =>
      'str' in item && item.str.trim() !== '' ? [{ text: item.str, left: item.transform[4], right: item.transform[4] + item.width }] : [],
    )
    const [time, opening, closing, first, transfer] = [
      '2026-04-01 00:00:00',
      '-0.00000005',
      '1,234,567.00000000',
      '0.00000001',
      '1000',
    ].map((text) => places.find((one) => one.text === text) ?? { text, left: Number.NaN, right: Number.NaN })
    expect(time?.right).toBeCloseTo(559, 0)
    expect(transfer?.left).toBeCloseTo(36, 0)
    expect(closing?.right).toBeCloseTo(opening?.right ?? 0, 1)
    expect(first?.left).toBeGreaterThan(opening?.right ?? Infinity)
  })

  it('are in English when the fonts lack a letter of the language', async () => {
    const t = translator({
      language: 'zh',
      name: '中文',
      direction: 'ltr',
      reviewed: false,
      texts: { 'Other side': '对方', Amount: 'Yuan' },
    })
    const wallet = { label: 'My Wallet', unit: 'coin' as const, opening: 0n, closing: 0n, lines: [] }
    const [page] = await pagesOf(await statementPdf(statement({ language: { language: 'zh', direction: 'ltr', t }, wallets: [wallet] })))
    expect(page).toContain('Other side')
    expect(page).not.toContain('Yuan')
  })

  it('are identical for the same statement, byte for byte', async () => {
    const [first, second] = [await statementPdf(statement()), await statementPdf(statement())]
    expect(Buffer.compare(first, second)).toBe(0)
  })

  it.each(['Zoë Łukaszewicz', 'Ελένη Παπαδοπούλου', 'Дмитро Шевченко', 'Nguyễn Thị Ánh', 'محمد', 'Ada شيرين', 'Ђорђе O’Brien-Ñandú'])(
    'print the name %s',
    async (name) => {
      const [page] = await pagesOf(await statementPdf(statement({ name })))
      expect(page?.normalize('NFC').replaceAll(/\s+/g, ' ')).toContain(name)
    },
  )

  it.each([
    ['in a script without a font', '张伟'],
    ['that changes the text direction', 'Ada \u202enoryB'],
    ['with marks that isolate a part', 'Ada \u2068nory\u2069B'],
    ['with marks that isolate and turn a part', 'Ada \u2067noryB\u2069'],
    ['with an invisible character', 'Ada\u200bByron'],
    ['with a control character', 'Ada\u0007'],
  ])('omit a name %s entirely, and show the mail address instead', async (_, name) => {
    expect(printableRuns(name, false)).toBeUndefined()
    const [page = ''] = await pagesOf(await statementPdf(statement({ name })))
    expect(page).toContain('ada@example.com')
    expect(page).not.toContain('Ada')
    expect(page).not.toContain('noryB')
  })
})

describe('runs of a text', () => {
  it.each([
    ['كشف \u20682026-04\u2069', ['2026-04', 'كشف ']],
    ['می\u200cخواهم', ['می\u200cخواهم']],
    ['محفظتي (USD)', ['(', 'USD', ')', 'محفظتي ']],
    ['صفحة 1 من 2', ['2', 'من ', ' ', '1', 'صفحة ']],
    ['\u2068ada@example.com\u2069، كُتب', ['، كُتب', 'ada@example.com']],
    ['أُرسل \u2068-5.00 USD\u2069 إلى', ['إلى', ' ', '-5.00 USD', 'أُرسل ']],
    ['Ada شيرين Byron', ['Ada ', 'شيرين', ' Byron']],
    ['-1,234.50', ['-1,234.50']],
  ])('are ordered from left to right: %s', (text, order) => {
    expect(printableRuns(text, true)?.visualOrder.map((run) => run.text)).toEqual(order)
  })
})

describe('PDF statement', async () => {
  const { db } = await testDatabase()
  const none = { dailyBonusCount: 0n, transactionHistoryCount: 0n, dailyStakeLogsBonus: 0n }
  const at: TestApp = await testApp(db, {
    routes: (bind) => walletRoutes(bind, { rewardTotals: () => Promise.resolve(none), outside, histories: [], transfers: allTransfers }),
    jobs: [...walletJobs, backgroundJobs([statementJob(allTransfers)])],
  })
  const member = await createTestMember(db)
  const move = (count: number, amount: Units, when: string) =>
    post(db, {
      kind: 'swapNative',
      cause: { type: 'member', id: String(member.id) },
      at: new Date(when),
      transfers: Array.from({ length: count }, () => ({
        from: { owner: member.id, kind: 'nativeWallet' as const },
        to: { owner: member.id, kind: 'icoWallet' as const },
        amount,
      })),
    })
  const ask = async (month: string) => {
    const { token } = await at.signIn(member.id)
    const reply = await at.call('POST', '/statements', { token, body: { month, format: 'pdf' } })
    await at.runJobs()
    const job = (await at.call('GET', `/jobs/${reply.body.data.jobId}`, { token })).body.data
    return { job, token, id: reply.body.data.jobId }
  }
  const textOf = async (month: string) => {
    const { job, token } = await ask(month)
    expect(job).toMatchObject({ state: 'DONE', fileName: `statement-${month}.pdf`, done: 7, total: 7 })
    const reply = await at.app.inject({ method: 'GET', url: `/api/v1${job.fileHref}`, headers: { authorization: token } })
    expect(reply.headers['content-type']).toBe('application/pdf')
    return (await pagesOf(reply.rawPayload)).join(' ').replaceAll(/\s+/g, ' ')
  }
  const balances = (text: string, wallet: string, unit: string) => {
    const part = text.slice(text.indexOf(`${wallet}, ${unit}`))
    const of = (word: string) => parseUnits((part.match(new RegExp(`${word} (-?[\\d,]+\\.\\d{8})`))?.[1] ?? '').replaceAll(',', ''))
    return [of('Opening balance'), of('Closing balance')]
  }

  it('opens and closes with the balances of the ledger, month after month, and only for its owner', async () => {
    await fund(db, member.id, 'nativeWallet', 100_000n * ONE)
    await move(3, 1500n * ONE + 1n, '2026-03-31T23:59:59.999Z')
    await move(2, 7n, '2026-04-02T00:00:00Z')
    at.clock.set('2026-05-03T09:00:00Z')
    const [march, april] = [await textOf('2026-03'), await textOf('2026-04')]
    expect(balances(march, 'My Wallet', 'coin')).toEqual([0n, 4500n * ONE + 3n])
    expect(balances(april, 'My Wallet', 'coin')).toEqual([4500n * ONE + 3n, 4500n * ONE + 17n])
    expect((await balancesOf(db, member.id)).icoWallet).toBe(4500n * ONE + 17n)
    const { id } = await ask('2026-04')
    const other = await createTestMember(db)
    expect((await at.call('GET', `/jobs/${id}/file`, { token: (await at.signIn(other.id)).token })).status).toBe(404)
  })

  it('rejects too many rows before it lays anything out, and unknown formats', async () => {
    await move(PDF_MAX_ROWS / 2 + 1, 1n, '2026-05-02T00:00:00Z')
    const { job, token } = await ask('2026-05')
    expect(job).toMatchObject({ state: 'FAILED', error: `More than ${PDF_MAX_ROWS} movements: please choose the CSV file` })
    expect((await at.call('POST', '/statements', { token, body: { month: '2026-05', format: 'doc' } })).status).toBe(400)
  })
})
