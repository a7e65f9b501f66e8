import { allRoutes } from '@tizara/contract/all-routes'
import { beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { scrollDownTo } from '../test/scroll-down.ts'
import { openApp, signedIn } from '../test/open-app.tsx'
import { specReads } from '../test/spec-answers.ts'
import { SpecServer } from '../test/spec-server.ts'

let server: SpecServer

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  server = new SpecServer()
})

type Json = Readonly<Record<string, unknown>>
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns a specified list's first row, at any nesting. */
function rowOf(answer: unknown): Json {
  const { data } = answer as { data: unknown }
  return Array.isArray(data) ? (data[0] as Json) : rowOf(data)
}

/** Wrong values for an expected one. */
const WRONG = [null, undefined, { not: 'this' }, 'not this'] as const

/** Returns one damaged row per key at any depth and wrong value. */
function damagesTo(row: Json): { key: string; wrong: unknown; row: unknown }[] {
  return Object.entries(row).flatMap(([key, value]) => [
    ...WRONG.filter((wrong) => !(typeof value === 'string' && typeof wrong === 'string')).map((wrong) => ({
      key,
      wrong,
      row: { ...row, [key]: wrong },
    })),
    ...(isJson(value)
      ? damagesTo(value).map((inside) => ({ ...inside, key: `${key}.${inside.key}`, row: { ...row, [key]: inside.row } }))
      : []),
  ])
}

const cellsOf = (tr: Element): string[] =>
  [...tr.querySelectorAll('td')].map((cell) => (cell.lastElementChild ?? cell).textContent.trim().replaceAll(/\s+/g, ' '))

const lists = [
  ['/my-referrals', 'GET /profile/my-team'],
  ['/history/transaction-history', 'GET /transaction-history'],
  ['/buy-token-history', 'GET /buy-token'],
  ['/profit-bounty-history', 'GET /profit-bounty/my-bounty-historys'],
  ['/history/transfer-history', 'GET /exchange-settings/get-exchagne-history'],
  ['/roi-history', 'GET /roy-bonus-historys'],
  ['/my-stack-coin', 'GET /stack-now'],
  ['/my-stack-logs', 'GET /stake-logs'],
  ['/stake-reward', 'GET /stack-bonus-history'],
  ['/store-nft/nft-level-bonus', 'GET /nft-level-bonus'],
  ['/store-nft/nft-roi-profit-bounty', 'GET /nft-monthly-roi-history/my-profit-bounty-history'],
  ['/history/withdraw-history', 'GET /withdrow-request/get-my-withdraw-history'],
  ['/deposit-wallet-history', 'GET /pay/get-my-depsit'],
  ['/history/usd-transfer-history', 'GET /deposit-wallet/transfer-history'],
  ['/logs-profit-bounty-history', 'GET /stake-logs/my-bounty-historys'],
  ['/rank-bonus', 'GET /rank/my-ranked-bonus'],
  ['/stake-logs-roi', 'GET /stake-logs/reward-history'],
  ['/store-nft/nft-roi', 'GET /nft-monthly-roi-history'],
  ['/store-nft/nft-histor_y', 'GET /nft-purchese/history'],
  ['/special-rcm', 'GET /special-rcm/last-refferer'],
  ['/support', 'GET /ticket'],
] as const

/** Lists without a table: offers and sums are tested below, search exists only on our server, and limits are one settings row. */
const NO_TABLES = ['GET /stack-coin-settings', 'GET /nft/active-nft', 'GET /deposit-request', 'GET /team/search', 'GET /exchange-settings']

it('covers every list of members in the contract', () => {
  const paged = allRoutes.filter(
    ({ method, access, query }) =>
      method === 'GET' && access === 'member' && query !== undefined && 'entries' in query && 'page' in (query.entries as object),
  )
  expect(paged.map(({ path }) => `GET ${path}`).toSorted()).toEqual([...lists.map(([, call]) => call), ...NO_TABLES].toSorted())
})

it.each(lists)('%s shows every row when one key of a row is invalid', async (path, call) => {
  const sound = rowOf(specReads[call])
  const damages = damagesTo(sound)
  for (let at = 0; at < damages.length; at += 23) {
    const some = damages.slice(at, at + 23)
    // One row that is not an object, and a valid one.
    const rows = [sound, null, ...some.map(({ row }) => row)]
    server.set(call, { success: true, data: { data: rows, meta: { total: rows.length, page: 1, limit: 25 } } })
    const screen = await openApp(path, signedIn)
    await expect.poll(() => document.querySelectorAll('tbody tr').length, { message: `rows of ${path}` }).toBe(rows.length)
    await expect.element(page.getByText('Data Not Found')).not.toBeInTheDocument()
    const [whole = [], none = [], ...shown] = [...document.querySelectorAll('tbody tr')].map(cellsOf)
    expect(none.join(' ')).not.toMatch(/undefined|null|NaN|Invalid|object/)
    for (const [index, cells] of shown.entries()) {
      const damage = some[index]
      const what = `${path}, ${damage?.key} is ${JSON.stringify(damage?.wrong)}: ${cells.join(' | ')}`
      expect(cells.join(' '), what).not.toMatch(/undefined|NaN|Invalid|\[object|not this/)
      // Missing request and payment sums are 0 (LS-31).
      const nothingPaid = path === '/deposit-wallet-history' && (damage?.wrong ?? null) === null ? '0.00' : ''
      // A figure shows the sent value or a dash, never another value.
      const figures = cells.filter(
        (cell, column) => cell !== whole[column] && /^[\d,.]+$/.test(cell) && cell !== String(index + 3) && cell !== nothingPaid,
      )
      expect(figures, what).toEqual([])
      // A damaged key does not affect the others.
      expect(cells.filter((cell, column) => cell === whole[column]).length, what).toBeGreaterThan(0)
    }
    await screen.unmount()
  }
})

it.each([
  ['/stack-coin', 'GET /stack-coin-settings', 'planName', 'Gold'],
  ['/store-nft/buy-nft', 'GET /nft/active-nft', 'name', 'Lake Dome'],
] as const)('%s shows every offer that is partly unreadable, and no empty state', async (path, call, nameKey, name) => {
  const damages = damagesTo(rowOf(specReads[call])).filter(({ key }) => !['title', 'quantity', 'status', nameKey].includes(key))
  const rows = damages.map(({ row }, index) => ({ ...(row as Json), [nameKey]: `${name} ${index}.` }))
  server.set(call, { success: true, data: { data: rows, meta: { total: rows.length, page: 1, limit: 25 } } })
  await openApp(path, signedIn)
  for (const [index, { key }] of damages.entries())
    await expect.element(page.getByText(`${name} ${index}.`, { exact: false }).last(), { message: key }).toBeVisible()
  await expect.element(page.getByText('Data Not Found')).not.toBeInTheDocument()
})

it('[UI-DASH-21] [UI-DASH-28] shows a dash for a sum when an amount is unreadable', async () => {
  for (const amount of [null, undefined, 'much']) {
    server.set('GET /deposit-request', {
      success: true,
      data: {
        data: [
          { status: 'APPROVE', amount: 100 },
          { status: 'APPROVE', amount },
        ],
        meta: null,
      },
    })
    const screen = await openApp('/dashboard', signedIn)
    const card = page.getByText('Total Deposit', { exact: true })
    await scrollDownTo('Total Deposit')
    await expect.element(card).toBeVisible()
    await expect.poll(() => card.element().parentElement?.parentElement?.parentElement?.textContent).toContain('–')
    await screen.unmount()
  }
})
